package org.starling.analysis.theory;

/**
 * The pair lemma of the metastability paper (c): u' = -c ln(beta) sin u from u0 &gt; 0, and the
 * time at which u reaches sqrt(ln(beta)/beta). The paper's centre 2/c is wrong; it is 1/(2c)
 * (errata of science/emergence.md).
 */
public final class StaircasePair {
  private StaircasePair() {}

  /** The exact crossing time, from tan(u/2) = tan(u0/2) e^{-c ln(beta) t}. */
  public static double crossing(double beta, double c, double u0) {
    double end = Math.sqrt(Math.log(beta) / beta);
    if (!(beta > 1 && c > 0 && u0 > end && u0 < Math.PI)) {
      throw new IllegalArgumentException(
          "u = " + u0 + " does not fall to sqrt(ln(beta)/beta) at beta = " + beta + ", c = " + c);
    }
    return (Math.log(Math.tan(u0 / 2)) - Math.log(Math.tan(end / 2))) / (c * Math.log(beta));
  }

  /** 1/(2c) + (ln(2 tan(u0/2)) - ln(ln(beta))/2)/(c ln(beta)): the crossing for large beta. */
  public static double asymptote(double beta, double c, double u0) {
    double l = Math.log(beta);
    return 1 / (2 * c) + (Math.log(2 * Math.tan(u0 / 2)) - Math.log(l) / 2) / (c * l);
  }
}
