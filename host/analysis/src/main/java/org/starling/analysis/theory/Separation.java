package org.starling.analysis.theory;

import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.Clusters;

/**
 * (beta, eps)-separated starts on the sphere and what the main theorem of the metastability paper
 * (c) says about them (science/emergence.md 1.11, with the errata there): tokens stay in their caps
 * up to T2, and each cap has contracted from T1 on.
 *
 * @param n tokens
 * @param clusters number of caps k
 * @param beta inverse temperature, &gt; 1
 * @param eps every token has &lt;x, w_q&gt; &gt;= 1 - eps for the centre w_q of its cap
 * @param alpha largest &lt;x, y&gt; of points in different caps {&lt;x, w_q&gt; &gt;= 1 - 2 eps}
 */
public record Separation(int n, int clusters, double beta, double eps, double alpha) {
  public Separation {
    if (n < 1 || clusters < 1 || !(beta > 1) || !(eps > 0 && eps < 1.0 / 8) || !(alpha <= 1)) {
      throw new IllegalArgumentException(
          "separation is defined for beta > 1 and 0 < eps < 1/8; got beta = "
              + beta
              + ", eps = "
              + eps
              + ", alpha = "
              + alpha);
    }
  }

  /**
   * alpha from the smallest angle between two centres: caps of radius arccos(1-2eps) around them.
   */
  public static double alpha(double eps, double smallestAngle) {
    return Math.cos(Math.max(0, smallestAngle - 2 * Math.acos(1 - 2 * eps)));
  }

  /** alpha of orthogonal centres: sin(2 arccos(1-2eps)), about 4 sqrt(eps); not eps^2 + 2 eps. */
  public static double alphaOrthogonal(double eps) {
    return alpha(eps, Math.PI / 2);
  }

  /**
   * The separation of tokens grouped in clusters, each cap centred at the direction of its mean.
   *
   * @param floor eps is at least this, &gt; 0: coinciding tokens are in a cap of any size
   * @throws IllegalArgumentException where a cluster is so wide that eps &gt;= 1/8, or has no mean
   *     direction
   */
  public static Separation of(Tokens x, Clusters clusters, double beta, double floor) {
    int k = clusters.count();
    int d = x.d();
    double[] sums = new double[k * d];
    for (int i = 0; i < x.n(); i++) {
      for (int c = 0; c < d; c++) {
        sums[clusters.labels()[i] * d + c] += x.at(i, c) / x.norm(i);
      }
    }
    Tokens centres = new Tokens(sums, k, d);
    double eps = floor;
    for (int i = 0; i < x.n(); i++) {
      double angle = Tokens.of(x.row(i), centres.row(clusters.labels()[i])).angle(0, 1);
      eps = Math.max(eps, 2 * Math.sin(angle / 2) * Math.sin(angle / 2));
    }
    double smallest = Math.PI;
    for (int a = 0; a < k; a++) {
      for (int b = 0; b < a; b++) {
        smallest = Math.min(smallest, centres.angle(a, b));
      }
    }
    return new Separation(x.n(), k, beta, eps, k == 1 ? -1 : alpha(eps, smallest));
  }

  /**
   * gamma(beta) = 1 - alpha - 8 eps - ln(2n^2/eps)/beta; the start is separated if it is &gt; 0.
   */
  public double gamma() {
    return 1 - alpha - 8 * eps - Math.log(2.0 * n * n / eps) / beta;
  }

  /** Whether the hypotheses hold. */
  public boolean separated() {
    return clusters <= n && gamma() > 0 && largestLambda() > 0;
  }

  /** 1 - alpha - ln(2n^2/(1-8eps))/beta - 8 eps: the first bound on lambda. */
  public double firstBound() {
    return 1 - alpha - Math.log(2.0 * n * n / (1 - 8 * eps)) / beta - 8 * eps;
  }

  /** (1-e^{-gamma beta}) e^{(1-alpha) beta} (beta-1) eps/(beta^2 n^2 e): the second bound. */
  public double secondBound() {
    return -Math.expm1(-gamma() * beta)
        * Math.exp((1 - alpha) * beta)
        * (beta - 1)
        * eps
        / (beta * beta * n * (double) n * Math.E);
  }

  /** The second bound as printed, with the inverse of its last factor; wrong. */
  static double printedSecondBound(Separation s) {
    return -Math.expm1(-s.gamma() * s.beta)
        * Math.exp((1 - s.alpha) * s.beta)
        * (s.beta * s.beta * s.n * s.n * Math.E)
        / ((s.beta - 1) * s.eps);
  }

  /** Every lambda in (0, this) is admissible. */
  public double largestLambda() {
    return Math.min(firstBound(), secondBound());
  }

  /**
   * T1 &lt;= 2n e^{8 eps beta} + e n lambda beta^2/(beta-1), in the model's own time: from here on
   * tokens of a cap are within 2 e^{-lambda beta} in squared distance.
   */
  public double contracted(double lambda) {
    return 2 * n * Math.exp(8 * eps * beta) + Math.E * n * lambda * beta * beta / (beta - 1);
  }

  /** T2 &gt;= (eps/n) e^{(1-alpha) beta}: until here tokens stay in their caps. */
  public double lifetime() {
    return eps / n * Math.exp((1 - alpha) * beta);
  }
}
