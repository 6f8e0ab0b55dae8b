package org.starling.analysis.cluster;

import java.util.Locale;
import org.starling.analysis.Tokens;

/**
 * When two tokens are linked.
 *
 * @param kind what is compared
 * @param threshold linked where strictly closer than this
 */
public record Link(Kind kind, double threshold) {
  /** What is compared with the threshold. */
  public enum Kind {
    /** Angle between the tokens, radians in (0, pi]; linked if smaller. */
    ANGLE,
    /** Cosine &lt;x_i,x_j&gt;/(|x_i||x_j|) in [-1, 1); linked if larger. */
    COSINE,
    /** Euclidean distance, &gt; 0; linked if smaller. */
    DISTANCE
  }

  public Link {
    boolean possible =
        kind == Kind.COSINE
            ? threshold >= -1 && threshold < 1
            : threshold > 0 && threshold < Double.POSITIVE_INFINITY;
    if (!possible) {
      throw new IllegalArgumentException(
          "no two tokens can be compared by "
              + kind.name().toLowerCase(Locale.ROOT)
              + " with the"
              + " threshold "
              + threshold);
    }
  }

  /** Tokens closer than an angle in radians. */
  public static Link angle(double threshold) {
    return new Link(Kind.ANGLE, threshold);
  }

  /** Tokens with a cosine above the threshold. */
  public static Link cosine(double threshold) {
    return new Link(Kind.COSINE, threshold);
  }

  /** Tokens closer than a Euclidean distance. */
  public static Link distance(double threshold) {
    return new Link(Kind.DISTANCE, threshold);
  }

  /**
   * Whether tokens i and j are linked. A zero token has no direction: it is linked by distance
   * only.
   */
  public boolean holds(Tokens x, int i, int j) {
    switch (kind) {
      case ANGLE:
        return x.angle(i, j) < threshold;
      case COSINE:
        // 1 - cos from the chord: a threshold near 1 would drown in the rounding of the product.
        double half = Math.sin(x.angle(i, j) / 2);
        return 2 * half * half < 1 - threshold;
      case DISTANCE:
        return x.squaredDistance(i, j) < threshold * threshold;
      default:
        throw new AssertionError(kind);
    }
  }
}
