/**
 * How a run goes: steps, reports at output times, stop conditions, checkpoints, and the way back
 * from an interruption with the same bytes.
 */
package org.starling.core.run;
