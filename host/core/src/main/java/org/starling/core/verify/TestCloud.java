package org.starling.core.verify;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.starling.core.model.Geometry;
import org.starling.core.model.Precision;

/**
 * Token positions on which an engine is measured: spread out at random, or gathered in a few tight
 * clusters, where sums cancel.
 *
 * @param spread distance scale inside a cluster; 0 for positions without clusters
 * @param stretch how far tokens are off the sphere at most, outwards
 * @param apart one token far from all others
 */
record TestCloud(double spread, double stretch, boolean apart) {
  static final TestCloud RANDOM = new TestCloud(0);

  /** Positions on the sphere moved off it, as a Runge-Kutta stage moves them. */
  static final TestCloud STAGE = new TestCloud(0, 2e-3, false);

  /** All in one place, and the first token nearly opposite: its keys weigh next to nothing. */
  static final TestCloud APART = new TestCloud(0, 0, true);

  /** Few enough that every cluster has many members, more than one so that clusters see others. */
  private static final int CENTRES = 4;

  TestCloud(double spread) {
    this(spread, 0, false);
  }

  String label() {
    return apart
        ? "one apart"
        : stretch > 0
            ? "off the sphere"
            : spread == 0 ? "random" : String.format(Locale.ROOT, "clusters %.0e", spread);
  }

  /**
   * Positions {@code [n][d]}: uniform on the unit sphere, or standard Gaussian over sqrt(d)
   * elsewhere (so that scores are of the order of beta in every dimension). Rounded to float32 for
   * engines whose state starts there, so that engine and reference begin at the same numbers.
   */
  double[] positions(int n, int d, Geometry geometry, Precision precision, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] centres = gaussian(random, CENTRES * d, 1 / Math.sqrt(d));
    if (apart) {
      return apart(n, d, centres, precision);
    }
    boolean sphere = geometry == Geometry.SPHERE;
    if (sphere) {
      normalise(centres, d);
    }
    double[] noise = gaussian(random, n * d, (spread == 0 ? 1 : spread) / Math.sqrt(d));
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) {
        double centre = spread == 0 ? 0 : centres[i % CENTRES * d + a];
        x[i * d + a] = centre + noise[i * d + a];
      }
    }
    if (sphere) {
      normalise(x, d);
      for (int k = 0; k < x.length && stretch > 0; k++) {
        x[k] *= 1 + stretch * (k / d % 7) / 6;
      }
    }
    if (precision != Precision.DOUBLE) {
      for (int k = 0; k < x.length; k++) {
        x[k] = (float) x[k];
      }
    }
    return x;
  }

  private static double[] apart(int n, int d, double[] centres, Precision precision) {
    double[] place = Arrays.copyOf(centres, d);
    normalise(place, d);
    double[] x = new double[n * d];
    for (int k = 0; k < x.length; k++) {
      x[k] = k < d ? 0.1 * centres[d + k] - place[k] : place[k % d];
    }
    normalise(x, d);
    for (int k = 0; k < x.length && precision != Precision.DOUBLE; k++) {
      x[k] = (float) x[k];
    }
    return x;
  }

  /** Independent normal numbers with the given standard deviation (Box and Muller). */
  static double[] gaussian(SplittableRandom random, int count, double deviation) {
    double[] g = new double[count];
    for (int k = 0; k < count; k++) {
      double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
      g[k] = deviation * radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
    return g;
  }

  private static void normalise(double[] x, int d) {
    for (int at = 0; at < x.length; at += d) {
      double square = 0;
      for (int a = 0; a < d; a++) {
        square += x[at + a] * x[at + a];
      }
      double norm = Math.sqrt(square);
      for (int a = 0; a < d; a++) {
        x[at + a] /= norm;
      }
    }
  }
}
