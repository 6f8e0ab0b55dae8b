package org.starling.paths.task;

/**
 * The generator MT19937 and the numbers that PyTorch draws from it on a CPU in float64, bit for
 * bit, so that published experiments can be repeated with their own data.
 */
public final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int SHIFT = 397;

  /** Numbers that the normal distribution is drawn in at a time. */
  private static final int BLOCK = 16;

  private final int[] state = new int[SIZE];
  private int next = SIZE;

  /**
   * @param seed 0 to 2^32 - 1
   */
  public MersenneTwister(long seed) {
    if (seed < 0 || seed > 0xffffffffL) {
      throw new IllegalArgumentException("a seed is 0 to 4294967295, not " + seed);
    }
    state[0] = (int) seed;
    for (int k = 1; k < SIZE; k++) {
      state[k] = 1812433253 * (state[k - 1] ^ state[k - 1] >>> 30) + k;
    }
  }

  private int word() {
    if (next == SIZE) {
      for (int k = 0; k < SIZE; k++) {
        int y = state[k] & 0x80000000 | state[(k + 1) % SIZE] & 0x7fffffff;
        state[k] = state[(k + SHIFT) % SIZE] ^ y >>> 1 ^ ((y & 1) == 0 ? 0 : 0x9908b0df);
      }
      next = 0;
    }
    int y = state[next++];
    y ^= y >>> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    return y ^ y >>> 18;
  }

  /** Uniform in [0, 1): the low 53 bits of two words, the first one high. */
  public double uniform() {
    long high = (long) word() << 32;
    long bits = high | word() & 0xffffffffL;
    return (bits & (1L << 53) - 1) * 0x1p-53;
  }

  /**
   * Independent standard normal numbers.
   *
   * @param count at least 16
   */
  public double[] normal(int count) {
    if (count < BLOCK) {
      throw new IllegalArgumentException("normal numbers are drawn by 16 or more, not " + count);
    }
    double[] d = new double[count];
    for (int k = 0; k < count; k++) {
      d[k] = uniform();
    }
    for (int k = 0; k + BLOCK <= count; k += BLOCK) {
      transform(d, k);
    }
    if (count % BLOCK != 0) {
      int last = count - BLOCK;
      for (int k = last; k < count; k++) {
        d[k] = uniform();
      }
      transform(d, last);
    }
    return d;
  }

  private static void transform(double[] d, int at) {
    for (int j = at; j < at + BLOCK / 2; j++) {
      double radius = Math.sqrt(-2 * Math.log(1 - d[j]));
      double angle = 2 * Math.PI * d[j + BLOCK / 2];
      d[j] = radius * Math.cos(angle);
      d[j + BLOCK / 2] = radius * Math.sin(angle);
    }
  }
}
