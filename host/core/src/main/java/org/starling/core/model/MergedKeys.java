package org.starling.core.model;

import java.util.Arrays;

/**
 * Groups of nearly coinciding tokens that stand together as keys: in row i, key j != i stands at
 * the place of its group's leader, x_{leader(j)}, instead of at x_j. Every token keeps its own
 * query row and its own self term, since under a causal mask coinciding tokens with different
 * prefixes separate. With the full mask the tokens of a group must stand at one place, bit for bit;
 * then they stay together, and one of them, weighted by their number, stands for all.
 *
 * <p>A leader is the lowest token of its group, so that a causal row reads nothing behind itself.
 */
public final class MergedKeys {
  private final int[] leader;
  private final int[] leaders;
  private final int[] group;
  private final int[] start;
  private final int[] members;

  /**
   * @param leader {@code [n]}: the lowest token of each token's group, itself where it is alone
   */
  public MergedKeys(int[] leader) {
    this.leader = leader.clone();
    int n = leader.length;
    group = new int[n];
    int groups = 0;
    int[] size = new int[n];
    for (int i = 0; i < n; i++) {
      int l = leader[i];
      if (l < 0 || l > i || leader[l] != l) {
        throw new IllegalArgumentException(
            "token " + i + " has leader " + l + ", which is not the lowest token of a group");
      }
      group[i] = l == i ? groups++ : group[l];
      size[group[i]]++;
    }
    leaders = new int[groups];
    start = new int[groups + 1];
    for (int g = 0; g < groups; g++) {
      start[g + 1] = start[g] + size[g];
    }
    members = new int[n];
    int[] next = Arrays.copyOf(start, groups);
    for (int i = 0; i < n; i++) {
      members[next[group[i]]++] = i;
      leaders[group[i]] = leader[i];
    }
  }

  /** Groups of one token each. */
  public static MergedKeys alone(int n) {
    int[] leader = new int[n];
    Arrays.setAll(leader, i -> i);
    return new MergedKeys(leader);
  }

  /** Number of tokens n. */
  public int tokens() {
    return leader.length;
  }

  /** Number of groups G. */
  public int groups() {
    return leaders.length;
  }

  /** The leader of token i. */
  public int leader(int i) {
    return leader[i];
  }

  /** {@code [n]}: the leader of each token. */
  public int[] leader() {
    return leader.clone();
  }

  /** {@code [G]}: the leaders, ascending. */
  public int[] leaders() {
    return leaders.clone();
  }

  /** {@code [n]}: the index of each token's group in {@link #leaders}. */
  public int[] group() {
    return group.clone();
  }

  /** {@code [G + 1]}: where the tokens of each group begin in {@link #members}. */
  public int[] start() {
    return start.clone();
  }

  /** {@code [n]}: tokens by group, ascending within each. */
  public int[] members() {
    return members.clone();
  }

  /** Tokens of the group of token i, ascending. */
  public int[] membersOf(int i) {
    return Arrays.copyOfRange(members, start[group[i]], start[group[i] + 1]);
  }

  /**
   * The largest distance of a token from its leader.
   *
   * @param x positions, {@code [n][d]} from {@code at}
   */
  public double shift(double[] x, int at, int d) {
    double farthest = 0;
    for (int i = 0; i < leader.length; i++) {
      double square = 0;
      for (int c = 0; c < d; c++) {
        double e = x[at + i * d + c] - x[at + leader[i] * d + c];
        square += e * e;
      }
      farthest = Math.max(farthest, Math.sqrt(square));
    }
    return farthest;
  }

  /**
   * The positions of the keys, {@code [n][d]} row-major: {@code x} with every token at its leader's
   * place.
   */
  public double[] positions(double[] x, int at, int d) {
    double[] keys = new double[leader.length * d];
    for (int j = 0; j < leader.length; j++) {
      System.arraycopy(x, at + leader[j] * d, keys, j * d, d);
    }
    return keys;
  }
}
