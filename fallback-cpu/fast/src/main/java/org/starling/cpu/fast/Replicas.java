package org.starling.cpu.fast;

import java.util.function.IntConsumer;

/**
 * Loops over replicas. Many small ones are shared out among the threads, each done by one of them;
 * a few or large ones follow one another, their rows in parallel. Neither changes a bit.
 */
final class Replicas {
  /** Tokens of a replica that is too large for the memory of a thread to itself. */
  private static final int LARGE = 1024;

  /** Replicas a thread at least, so that none waits long for the others. */
  private static final int SHARE = 4;

  /** Replicas that a thread takes at a time. */
  private static final int CHUNK = 8;

  private static final ThreadLocal<Boolean> SHARED = ThreadLocal.withInitial(() -> false);

  private Replicas() {}

  /** Whether the calling thread does a replica by itself: what it calls must not spread out. */
  static boolean shared() {
    return SHARED.get();
  }

  /**
   * Calls {@code body} for every replica.
   *
   * @param n tokens of each
   */
  static void forEach(int count, int n, IntConsumer body) {
    if (n > LARGE || count < SHARE * Rows.threads()) {
      for (int r = 0; r < count; r++) {
        body.accept(r);
      }
      return;
    }
    Rows.forEachBlock(
        count,
        CHUNK,
        (from, to) -> {
          SHARED.set(true);
          try {
            for (int r = from; r < to; r++) {
              body.accept(r);
            }
          } finally {
            SHARED.set(false);
          }
        });
  }
}
