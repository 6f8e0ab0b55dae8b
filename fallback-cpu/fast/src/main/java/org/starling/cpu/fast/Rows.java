package org.starling.cpu.fast;

import java.util.stream.IntStream;

/** Parallel loops over rows; each row is handled by one thread, so results do not depend on how. */
final class Rows {
  private Rows() {}

  /** A block of rows {@code from .. to - 1}. */
  interface Block {
    void run(int from, int to);
  }

  /**
   * Runs all blocks of {@code size} rows in parallel, first and last blocks in turn: causal rows
   * grow with their index, and contiguous shares would leave one thread with most of the work.
   */
  static void forEachBlock(int n, int size, Block block) {
    int blocks = (n + size - 1) / size;
    IntStream.range(0, blocks)
        .parallel()
        .forEach(
            k -> {
              int b = k % 2 == 0 ? k / 2 : blocks - 1 - k / 2;
              block.run(b * size, Math.min(n, (b + 1) * size));
            });
  }
}
