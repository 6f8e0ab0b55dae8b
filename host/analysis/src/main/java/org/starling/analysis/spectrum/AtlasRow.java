package org.starling.analysis.spectrum;

import org.starling.analysis.Significant;

/**
 * The predicted row of Table 1 of the causal paper for a matrix V: the final configuration of
 * causal tokens on the sphere by the leading part of the spectrum alone, whatever Q, K and beta
 * (science/causal.md 1.4).
 *
 * @param shape of the configuration
 * @param realPart largest real part of the spectrum
 * @param dimension of L(V), where the first token goes
 * @param status what is known
 */
public record AtlasRow(Shape shape, double realPart, int dimension, Status status) {

  /** The final configuration. */
  public enum Shape {
    /** V = lambda I, lambda &gt; 0: all tokens at x_1(0). */
    FIRST_TOKEN("a single point, x_1(0)"),
    /** lambda &gt; 0, L of dimension 2 or more. */
    POINT_IN_L("a single point in L: the direction of the first token's part in L"),
    /** lambda &gt; 0 simple. */
    TWO_POLES("two points, xi and -xi (one of them may be empty)"),
    /** lambda &lt; 0, L of dimension 2 or more. */
    CLOUD_AROUND_L("a cloud of separate points around L"),
    /** lambda &lt; 0 simple. */
    TWO_CLOUDS("two clouds of separate points, around xi and -xi"),
    /** A leading complex pair of positive real part. */
    ROTATING_CLUSTER("a cluster that turns for ever in the plane L at the speed of the pair"),
    /** A leading complex pair of negative real part. */
    ROTATING_CLOUD("separate points near the plane L that turn for ever at the speed of the pair"),
    /** Leading real part 0, several leading eigenvalues or a Jordan block at the top. */
    OPEN("not in the table");

    private final String text;

    Shape(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }

  /** What is known about a row. */
  public enum Status {
    /** Proved for almost every start. */
    THEOREM,
    /** A conjecture of the paper. */
    CONJECTURE,
    /** Seen in experiments only. */
    OBSERVED,
    /** The table has no such row. */
    NONE
  }

  /** The row of a spectrum. */
  public static AtlasRow of(ValueSpectrum v) {
    Eigenvalue top = v.values().get(0);
    int dimension = v.principalSpace().length;
    boolean single = v.leading().size() == 1;
    double zero = ValueSpectrum.NULL * Math.max(v.byModulus().get(0).modulus(), Double.MIN_NORMAL);
    if (!single || !top.semisimple() || Math.abs(top.re()) <= zero) {
      return new AtlasRow(Shape.OPEN, top.re(), dimension, Status.NONE);
    }
    boolean attracts = top.re() > 0;
    if (!top.real()) {
      return new AtlasRow(
          attracts ? Shape.ROTATING_CLUSTER : Shape.ROTATING_CLOUD,
          top.re(),
          dimension,
          Status.OBSERVED);
    }
    if (attracts) {
      if (dimension == v.d()) {
        return new AtlasRow(Shape.FIRST_TOKEN, top.re(), dimension, Status.THEOREM);
      }
      return new AtlasRow(
          dimension == 1 ? Shape.TWO_POLES : Shape.POINT_IN_L,
          top.re(),
          dimension,
          Status.CONJECTURE);
    }
    return new AtlasRow(
        dimension == 1 ? Shape.TWO_CLOUDS : Shape.CLOUD_AROUND_L,
        top.re(),
        dimension,
        Status.OBSERVED);
  }

  /** The row as one line. */
  public String sentence() {
    return "largest real part "
        + Significant.of(realPart)
        + ", dim L = "
        + dimension
        + ": "
        + shape.text();
  }
}
