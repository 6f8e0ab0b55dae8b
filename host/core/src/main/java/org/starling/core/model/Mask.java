package org.starling.core.model;

/**
 * Which keys j a query i attends to, and the positional bias added to its scores; a function of (i,
 * j), never a stored matrix. Token indices count from 0.
 *
 * <p>Every composition of the supported masks leaves each row an <em>interval</em> of live keys,
 * {@link #firstKey} .. {@link #lastKey}, that contains i itself; engines rely on this to skip dead
 * tiles.
 *
 * @param causal j &lt;= i only
 * @param window |i - j| &lt; window; {@link #NONE} for no window, else &gt;= 1
 * @param prefix j &lt;= i or j &lt; prefix; {@link #NONE} for no prefix mask, else &gt;= 0;
 *     redundant under {@code causal}
 * @param alibi slope m &gt;= 0: adds -m (i - j) to the score after beta; &gt; 0 requires causal
 */
public record Mask(boolean causal, int window, int prefix, double alibi) {
  /** No window, or no prefix mask. */
  public static final int NONE = -1;

  public static final Mask FULL = new Mask(false, NONE, NONE, 0);
  public static final Mask CAUSAL = new Mask(true, NONE, NONE, 0);

  public Mask {
    if (window != NONE && window < 1) {
      throw new IllegalArgumentException("mask window must be >= 1, got " + window);
    }
    if (prefix != NONE && prefix < 0) {
      throw new IllegalArgumentException("mask prefix must be >= 0, got " + prefix);
    }
    if (!(alibi >= 0) || Double.isInfinite(alibi)) {
      throw new IllegalArgumentException("alibi slope must be finite and >= 0, got " + alibi);
    }
    if (alibi > 0 && !causal) {
      throw new IllegalArgumentException("an alibi mask is causal");
    }
    if (causal) {
      prefix = NONE;
    }
  }

  public static Mask window(int w) {
    return new Mask(false, w, NONE, 0);
  }

  public static Mask prefix(int p) {
    return new Mask(false, NONE, p, 0);
  }

  public static Mask alibi(double slope) {
    return new Mask(true, NONE, NONE, slope);
  }

  /** The mask whose live keys are live under both; alibi slopes add. */
  public Mask and(Mask other) {
    return new Mask(
        causal || other.causal,
        tighter(window, other.window),
        tighter(prefix, other.prefix),
        alibi + other.alibi);
  }

  private static int tighter(int a, int b) {
    return a == NONE ? b : b == NONE ? a : Math.min(a, b);
  }

  /** Whether every query attends to every key, whatever the number of tokens. */
  public boolean full() {
    return !causal && window == NONE && prefix == NONE;
  }

  /** First live key of query i. */
  public int firstKey(int i) {
    return window == NONE ? 0 : Math.max(0, i - window + 1);
  }

  /** Last live key of query i among n tokens (inclusive). */
  public int lastKey(int i, int n) {
    int last = n - 1;
    if (causal) {
      last = i;
    } else if (prefix != NONE) {
      last = Math.min(last, Math.max(i, prefix - 1));
    }
    if (window != NONE) {
      last = (int) Math.min(last, (long) i + window - 1);
    }
    return last;
  }

  /** Number of live keys of query i among n tokens; at least 1. */
  public int liveKeys(int i, int n) {
    return lastKey(i, n) - firstKey(i) + 1;
  }

  /** Bias added to s_ij after beta. */
  public double bias(int i, int j) {
    return alibi == 0 ? 0 : -alibi * (i - j);
  }
}
