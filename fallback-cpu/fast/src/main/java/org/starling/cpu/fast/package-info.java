/**
 * The fallback at run time: blocked, multi-threaded plain Java in float32 or float64.
 *
 * <p>One evaluation: keys are packed into panels ({@link org.starling.cpu.fast.Panels}); blocks of
 * query rows run in parallel; a {@link org.starling.cpu.fast.RowKernel} sums each row over j != i
 * ({@link org.starling.cpu.fast.DifferenceKernel} for d &lt;= 8, split sums above), and {@link
 * org.starling.cpu.fast.RowEpilogue} merges the self term, applies V and the geometry. Every row is
 * summed in a fixed order by one thread, so results do not depend on the number of threads.
 */
package org.starling.cpu.fast;
