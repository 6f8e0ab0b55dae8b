package org.starling.cpu.fast;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Parallel loops over rows; each row is handled by one thread, so results do not depend on how. */
final class Rows {
  private Rows() {}

  /** A block of rows {@code from .. to - 1}. */
  interface Block {
    void run(int from, int to);
  }

  /** Threads that a loop runs on at most. */
  static int threads() {
    return ForkJoinPool.getCommonPoolParallelism() + 1;
  }

  /** Runs all blocks of {@code size} rows in parallel. */
  static void forEachBlock(int n, int size, Block block) {
    forEachBlock(n, size, () -> block);
  }

  /**
   * Runs all blocks of {@code size} rows in parallel, each thread with a block of its own making.
   * Threads take the next block when they are done with one, the last rows first: causal rows grow
   * with their index, and a long block at the end would leave the others idle.
   */
  static void forEachBlock(int n, int size, Supplier<Block> blocks) {
    int count = (n + size - 1) / size;
    if (count == 1 || Replicas.shared()) {
      Block block = blocks.get();
      for (int k = count - 1; k >= 0; k--) {
        block.run(k * size, Math.min(n, (k + 1) * size));
      }
      return;
    }
    AtomicInteger taken = new AtomicInteger();
    IntStream.range(0, Math.min(threads(), count))
        .parallel()
        .forEach(
            t -> {
              Block block = null;
              for (int k = taken.getAndIncrement(); k < count; k = taken.getAndIncrement()) {
                block = block == null ? blocks.get() : block;
                int from = (count - 1 - k) * size;
                block.run(from, Math.min(n, from + size));
              }
            });
  }
}
