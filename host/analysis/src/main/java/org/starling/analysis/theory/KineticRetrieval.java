package org.starling.analysis.theory;

/**
 * Retrieval by position under causal ALiBi attention in the kinetic limit, "lost in the middle"
 * (Duerinckx, Geshkovski, Rossi, arXiv 2605.09213; causal.md 4.9): S_t(s0) = sum_n w_n g_{a_n}(t,
 * 1; s0) with a_n = n^2 I_n(beta), w_n = e^{-pi^2 n^2/(2 M^2)}.
 *
 * @param beta inverse temperature, &gt; 0
 * @param lambda ALiBi rate, &gt; 0
 * @param resolution M of the angular window
 * @param modes number of modes kept
 */
public record KineticRetrieval(double beta, double lambda, double resolution, int modes) {
  public KineticRetrieval {
    if (!(beta > 0 && lambda > 0 && resolution > 0) || modes < 1) {
      throw new IllegalArgumentException(
          "beta, lambda and M must be > 0 and modes >= 1; got "
              + beta
              + ", "
              + lambda
              + ", "
              + resolution
              + ", "
              + modes);
    }
  }

  private double a(int n) {
    return n * (double) n * BesselI.of(n, beta);
  }

  private double weight(int n) {
    return Math.exp(-Math.PI * Math.PI * n * n / (2 * resolution * resolution));
  }

  /** 2 (1-e^{-lambda}) sum w a/sum w a^2: from here on S no longer rises at the right end. */
  public double criticalTime() {
    double first = 0;
    double second = 0;
    for (int n = 1; n <= modes; n++) {
      first += weight(n) * a(n);
      second += weight(n) * a(n) * a(n);
    }
    return -2 * Math.expm1(-lambda) * first / second;
  }

  /** The theorem's range: t sup a_n &lt;= min(3 - sqrt 3, 2 (1-e^{-lambda})). */
  public double theoremTime() {
    double top = 0;
    for (int n = 1; n <= Math.max(modes, 3 + (int) (2 * beta)); n++) {
      top = Math.max(top, a(n));
    }
    return Math.min(3 - Math.sqrt(3), -2 * Math.expm1(-lambda)) / top;
  }

  /**
   * S_t(s0).
   *
   * @param s0 position in (0, 1)
   */
  public double correction(double t, double s0) {
    double kernel = lambda * Math.exp(-lambda * (1 - s0)) / -Math.expm1(-lambda);
    double y = Math.log(Math.expm1(lambda) / Math.expm1(lambda * s0));
    double sum = 0;
    for (int n = 1; n <= modes; n++) {
      double at = a(n) * t;
      sum += weight(n) * kernel * Math.sqrt(at / y) * BesselI.of(1, 2 * Math.sqrt(at * y));
    }
    return sum;
  }

  /** The interior position of the smallest S_t, or NaN where S falls up to the right end. */
  public double worstPosition(double t) {
    int grid = 2000;
    int best = 1;
    for (int k = 2; k < grid; k++) {
      best = correction(t, k / (double) grid) < correction(t, best / (double) grid) ? k : best;
    }
    if (best >= grid - 1) {
      return Double.NaN;
    }
    double low = (best - 1) / (double) grid;
    double high = (best + 1) / (double) grid;
    double ratio = (Math.sqrt(5) - 1) / 2;
    while (high - low > 1e-9) {
      double p = high - ratio * (high - low);
      double q = low + ratio * (high - low);
      if (correction(t, Math.max(p, 1e-12)) < correction(t, q)) {
        high = q;
      } else {
        low = p;
      }
    }
    return (low + high) / 2;
  }
}
