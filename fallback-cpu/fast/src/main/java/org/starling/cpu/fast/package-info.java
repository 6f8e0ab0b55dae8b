/**
 * The fallback at run time: blocked, multi-threaded Java in float32 or float64.
 *
 * <p>One evaluation: rows are taken in strips that lie side by side ({@link
 * org.starling.cpu.fast.Strip}), so that every operation on a key is one on all rows at once; a
 * {@link org.starling.cpu.fast.StripKernel} brings the keys in panels and sums each row over j !=
 * i, by differences for d &lt;= 8 and split sums above, and {@link
 * org.starling.cpu.fast.RowEpilogue} merges the self term, applies V and the geometry. Strips are
 * computed by the Vector API where the JVM has it and by plain loops elsewhere ({@link
 * org.starling.cpu.fast.Lanes} chooses); both do the same arithmetic in the same order, and so give
 * the same bits. Every row is summed in a fixed order by one thread, so results do not depend on
 * the number of threads.
 */
package org.starling.cpu.fast;
