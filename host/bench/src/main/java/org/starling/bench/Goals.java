package org.starling.bench;

import org.starling.core.engine.DeviceInfo;
import org.starling.core.model.Precision;

/**
 * The numbers to reach. Those of a CPU were set from measurements on two cores; what is a rate and
 * not a ratio grows with the number of compute units. Those of a GPU are proposals from what others
 * reach there.
 *
 * @param gpu whether the device is a GPU
 * @param pairsOfCores compute units over 2
 */
record Goals(boolean gpu, double pairsOfCores) {
  static Goals of(DeviceInfo device) {
    String units = device.properties().get("compute units");
    return new Goals(
        !device.type().equals("cpu") && !device.type().equals("jvm"),
        units == null ? 1 : Integer.parseInt(units) / 2.0);
  }

  /** Fraction of the multiply-add peak, full mask. */
  Goal attention(Precision precision, int d) {
    if (gpu) {
      return d >= 64 && precision == Precision.SINGLE ? Goal.atLeast(d >= 512 ? 0.33 : 0.5) : null;
    }
    if (precision == Precision.DOUBLE) {
      return d >= 64 ? Goal.atLeast(0.55) : null;
    }
    return Goal.atLeast(d == 128 ? 0.75 : d >= 64 ? 0.65 : d >= 32 ? 0.60 : 0.50);
  }

  /** Time under the causal mask over time under the full one. */
  Goal causal() {
    return Goal.atMost(gpu ? 1 / 1.7 : 0.58);
  }

  /**
   * Gpair/s in float32, full mask.
   *
   * @param peak multiply-add peak, flop/s
   * @param exponentials the kernels' own, values a second
   */
  Goal pairs(int d, double peak, double exponentials) {
    if (gpu) {
      // Multiply-adds of a pair: d for the score, d for the sum, one for the normaliser.
      return Goal.atLeast(0.4e-9 * Math.min(exponentials, peak / 2 / (2 * d + 1)));
    }
    return d <= 3 ? Goal.atLeast(pairsOfCores * (7 - d)) : null;
  }

  /** How many times faster than the papers' NumPy. */
  Goal overNumPy(int d, boolean causal) {
    double times = d <= 3 ? 60 : d <= 64 ? 12 : d <= 128 ? 8 : 2.5;
    return Goal.atLeast(causal ? 1.5 * times : times);
  }

  /** Series at n = 1e5: time of the pairs over its own. */
  Goal seriesOverPairs(int d, double beta) {
    return gpu ? null : Goal.atLeast(d == 3 ? 5 : beta <= 16 ? 100 : 40);
  }

  /** On the circle at n = 1e6: evaluations a second. */
  Goal circleRate(boolean causal, double beta) {
    return gpu ? null : Goal.atLeast(pairsOfCores * (causal || beta > 16 ? 5 : 15));
  }

  Goal ensembles() {
    return gpu ? null : Goal.atLeast(4 * pairsOfCores);
  }

  /** Engine {@code java}: fraction of the multiply-add peak. */
  Goal java(boolean vectors) {
    return Goal.atLeast(vectors ? 0.45 : 0.12);
  }
}
