package org.starling.core.engine;

/**
 * Size of a state.
 *
 * @param replicas R &gt;= 1
 * @param n tokens per replica, &gt;= 1
 * @param d dimension, &gt;= 1
 */
public record Shape(int replicas, int n, int d) {
  public Shape {
    if (replicas < 1 || n < 1 || d < 1) {
      throw new IllegalArgumentException(
          "a state needs replicas, n, d >= 1, got " + replicas + ", " + n + ", " + d);
    }
  }

  /** Numbers in a state: R n d. */
  public long size() {
    return (long) replicas * n * d;
  }
}
