package org.starling.core.model;

/**
 * Which keys j a query i attends to, and the positional bias added to its scores; a function of (i,
 * j), never a stored matrix. Token indices count from 0.
 *
 * <p>Every composition of the supported masks leaves each row an <em>interval</em> of live keys,
 * {@link #firstKey} .. {@link #lastKey}, that contains i itself; engines rely on this to skip dead
 * tiles. Only with {@link #gaps} are there dead keys inside it, see {@link #live}.
 *
 * @param causal j &lt;= i only
 * @param window |i - j| &lt; window; {@link #NONE} for no window, else &gt;= 1
 * @param prefix j &lt;= i or j &lt; prefix; {@link #NONE} for no prefix mask, else &gt;= 0;
 *     redundant under {@code causal}
 * @param first keys j &lt; first are live whatever the window (the attention sink of streaming
 *     models); &gt;= 0, &gt; 0 requires causal; redundant without a window
 * @param alibi slope m &gt;= 0: adds -m (i - j) to the score after beta; &gt; 0 requires causal
 */
public record Mask(boolean causal, int window, int prefix, int first, double alibi) {
  /** No window, or no prefix mask. */
  public static final int NONE = -1;

  public static final Mask FULL = new Mask(false, NONE, NONE, 0, 0);
  public static final Mask CAUSAL = new Mask(true, NONE, NONE, 0, 0);

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
    if (first < 0) {
      throw new IllegalArgumentException("mask first must be >= 0, got " + first);
    }
    if (first > 0 && !causal) {
      throw new IllegalArgumentException("a mask with first keys for all is causal");
    }
    if (causal) {
      prefix = NONE;
    }
  }

  public static Mask window(int w) {
    return new Mask(false, w, NONE, 0, 0);
  }

  public static Mask prefix(int p) {
    return new Mask(false, NONE, p, 0, 0);
  }

  /** Causal, and the first k keys are live whatever a window composed with it says. */
  public static Mask first(int k) {
    return new Mask(true, NONE, NONE, k, 0);
  }

  public static Mask alibi(double slope) {
    return new Mask(true, NONE, NONE, 0, slope);
  }

  /** The mask whose live keys are live under both; alibi slopes add. */
  public Mask and(Mask other) {
    return new Mask(
        causal || other.causal,
        tighter(window, other.window),
        tighter(prefix, other.prefix),
        Math.max(first, other.first),
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
    return window == NONE || gaps() ? 0 : Math.max(0, i - window + 1);
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
    int dead = gaps() ? Math.max(0, i - window + 1 - first) : 0;
    return lastKey(i, n) - firstKey(i) + 1 - dead;
  }

  /** Whether key j, {@link #firstKey} .. {@link #lastKey}, is live in row i. */
  public boolean live(int i, int j) {
    return !gaps() || j < first || j > i - window;
  }

  /** Whether live keys are no interval: first keys that all see lie apart from a window. */
  public boolean gaps() {
    return first > 0 && window != NONE;
  }

  /** Bias added to s_ij after beta. */
  public double bias(int i, int j) {
    return alibi == 0 ? 0 : -alibi * (i - j);
  }
}
