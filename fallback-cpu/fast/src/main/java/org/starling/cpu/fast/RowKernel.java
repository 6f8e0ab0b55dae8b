package org.starling.cpu.fast;

/**
 * Sums rows of one head of one replica over live keys j != i. Thread-safe; buffers are passed in.
 */
interface RowKernel {
  /** Rows handled in one call at most; blocks start at multiples of it. */
  int BLOCK = 16;

  /**
   * Sums rows {@code from} .. {@code to - 1} into {@code rows[0 .. to - from - 1]}, already reset.
   */
  void sum(int from, int to, RowSums[] rows);
}
