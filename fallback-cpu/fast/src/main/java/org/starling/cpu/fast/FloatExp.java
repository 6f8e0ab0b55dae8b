package org.starling.cpu.fast;

/**
 * e^x in float32 for x &lt;= 0, within 2 ulp where the result is a normal number; the JDK offers
 * only a float64 exponential, several times slower.
 */
final class FloatExp {
  private static final float LOG2_E = 1.4426950408889634f;

  /** ln 2 in two parts; the first has few enough bits that its product with n is exact. */
  private static final float LN2_HIGH = 0.693359375f;

  private static final float LN2_LOW = -2.12194440e-4f;

  /** Adding and subtracting it rounds to the nearest integer. */
  private static final float ROUND = 0x1.8p23f;

  /** Below this the result is under the smallest normal number and is given as 0. */
  static final float SMALLEST = -87.33654f;

  private FloatExp() {}

  static float exp(float x) {
    if (!(x >= SMALLEST)) {
      return x < SMALLEST ? 0f : Float.NaN;
    }
    float shifted = x * LOG2_E + ROUND;
    float n = shifted - ROUND;
    float r = x - n * LN2_HIGH - n * LN2_LOW;
    // Taylor coefficients to degree 7: truncation below 2^-26 on |r| <= ln2 / 2.
    float p = 1.9841270e-4f;
    p = p * r + 1.3888889e-3f;
    p = p * r + 8.3333333e-3f;
    p = p * r + 4.1666668e-2f;
    p = p * r + 1.6666667e-1f;
    p = p * r + 0.5f;
    p = p * r * r + r + 1f;
    return p * Float.intBitsToFloat(((int) n + 127) << 23);
  }
}
