package org.starling.core.model;

import java.util.stream.IntStream;

/**
 * What sets the tokens of a replica apart from one another: frozen ones stand still, and are seen
 * by others as ever (causal paper, Theorem 5.2).
 */
public final class TokenRoles {
  private final boolean[] frozen;

  /**
   * @param frozen {@code [n]}
   */
  public TokenRoles(boolean[] frozen) {
    this.frozen = frozen.clone();
  }

  /** Number of tokens n. */
  public int tokens() {
    return frozen.length;
  }

  /** Whether token i stands still: its velocity and its attention output are 0. */
  public boolean frozen(int i) {
    return frozen[i];
  }

  /** The frozen tokens, ascending. */
  public int[] frozen() {
    return IntStream.range(0, frozen.length).filter(i -> frozen[i]).toArray();
  }
}
