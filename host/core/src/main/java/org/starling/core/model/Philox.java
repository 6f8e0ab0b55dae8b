package org.starling.core.model;

/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC 2011). A draw is a pure function of (seed, purpose, replica,
 * step, token, coordinate), so it does not depend on how many other numbers are drawn, nor on the
 * engine that asks.
 *
 * <p>Layout, the same on every engine. The key of a stream is the first two words of {@code
 * philox(counter = (purpose, replica, 0, 0), key = (low, high word of seed))}. Coordinates 2c and
 * 2c + 1 share the block {@code philox(counter = (c, token, low, high word of step), key)}: words 0
 * and 1 make the even coordinate's uniform, words 2 and 3 the odd one's, with 52 bits each.
 * Logarithm, sine and cosine come from {@link StrictMath}, so that normal draws have the same bits
 * on every Java machine.
 */
public final class Philox {
  private static final int MULTIPLIER_0 = 0xD2511F53;
  private static final int MULTIPLIER_1 = 0xCD9E8D57;
  private static final int WEYL_0 = 0x9E3779B9;
  private static final int WEYL_1 = 0xBB67AE85;
  private static final int ROUNDS = 10;

  /** What numbers are drawn for; streams of different purposes are independent. */
  public enum Purpose {
    /** Initial positions. */
    TOKENS(1),
    /** Query matrices without a seed of their own. */
    QUERY(2),
    /** Key matrices without a seed of their own. */
    KEY(3),
    /** Value matrices without a seed of their own. */
    VALUE(4),
    /** Matrices with a seed of their own: the same seed gives the same matrix for Q, K and V. */
    MATRIX(5),
    /** Noise added to steps. */
    NOISE(6),
    /** W1 of a feed-forward term without a seed of its own. */
    FEED_IN(7),
    /** W2 of a feed-forward term without a seed of its own. */
    FEED_OUT(8);

    private final int code;

    Purpose(int code) {
      this.code = code;
    }
  }

  private final int key0;
  private final int key1;

  private Philox(int key0, int key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** The stream of one purpose and replica under a seed. */
  public static Philox stream(long seed, Purpose purpose, int replica) {
    int[] words = block(purpose.code, replica, 0, 0, (int) seed, (int) (seed >>> 32));
    return new Philox(words[0], words[1]);
  }

  /** Ten rounds on counter (c0, c1, c2, c3) under key (k0, k1): four random words. */
  static int[] block(int c0, int c1, int c2, int c3, int k0, int k1) {
    for (int round = 0; round < ROUNDS; round++) {
      long p0 = (MULTIPLIER_0 & 0xFFFFFFFFL) * (c0 & 0xFFFFFFFFL);
      long p1 = (MULTIPLIER_1 & 0xFFFFFFFFL) * (c2 & 0xFFFFFFFFL);
      c0 = (int) (p1 >>> 32) ^ c1 ^ k0;
      c2 = (int) (p0 >>> 32) ^ c3 ^ k1;
      c1 = (int) p1;
      c3 = (int) p0;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
    return new int[] {c0, c1, c2, c3};
  }

  /** Uniform on the open interval (0, 1): (k + 1/2) 2^-52 with a 52-bit k. */
  public double uniform(long step, int token, int coordinate) {
    int[] w = words(step, token, coordinate >> 1);
    return (coordinate & 1) == 0 ? unit(w[0], w[1]) : unit(w[2], w[3]);
  }

  /** Standard normal, by the Box-Muller transform of the block's two uniforms. */
  public double gaussian(long step, int token, int coordinate) {
    int[] w = words(step, token, coordinate >> 1);
    double radius = radius(w);
    double angle = angle(w);
    return radius * ((coordinate & 1) == 0 ? StrictMath.cos(angle) : StrictMath.sin(angle));
  }

  /** Standard normals for coordinates 0 .. count - 1, the numbers that {@link #gaussian} gives. */
  public void gaussians(long step, int token, double[] out, int at, int count) {
    for (int c = 0; c < count; c += 2) {
      int[] w = words(step, token, c >> 1);
      double radius = radius(w);
      double angle = angle(w);
      out[at + c] = radius * StrictMath.cos(angle);
      if (c + 1 < count) {
        out[at + c + 1] = radius * StrictMath.sin(angle);
      }
    }
  }

  /** First word of the stream's key. */
  public int key0() {
    return key0;
  }

  /** Second word of the stream's key. */
  public int key1() {
    return key1;
  }

  /** The four random words that coordinates 2 pair and 2 pair + 1 are made of. */
  public int[] words(long step, int token, int pair) {
    return block(pair, token, (int) step, (int) (step >>> 32), key0, key1);
  }

  private static double radius(int[] w) {
    return Math.sqrt(-2 * StrictMath.log(unit(w[0], w[1])));
  }

  private static double angle(int[] w) {
    return 2 * Math.PI * unit(w[2], w[3]);
  }

  private static double unit(int high, int low) {
    long k = ((long) (high >>> 6) << 26) | (low >>> 6);
    return (k + 0.5) * 0x1p-52;
  }
}
