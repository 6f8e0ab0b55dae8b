package org.starling.cpu.fast;

/** Sums rows of one head of one replica over live keys j != i. */
interface RowKernel {
  /** Rows in a block of the loops that do not work by strips; blocks start at multiples of it. */
  int BLOCK = 16;

  /** What one thread needs to sum rows; not to be shared between threads. */
  Worker worker();

  /** Sums rows. */
  interface Worker {
    /**
     * Sums rows {@code from} .. {@code to - 1}, no more than a block, into {@code rows[0 .. to -
     * from - 1]}, already reset.
     */
    void sum(int from, int to, RowSums[] rows);
  }
}
