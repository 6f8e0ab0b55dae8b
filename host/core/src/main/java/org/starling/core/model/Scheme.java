package org.starling.core.model;

/**
 * Where a Transformer normalises its tokens x_j = r_j theta_j (Karagodin, Ge, Polyanskiy, Rigollet,
 * arXiv 2510.22026): theta_j' = (1/s_j) P_theta A_j with A_j the attention output of the directions
 * theta, and a growth of the radius r_j of its own. POST, NGPT and SQRT keep tokens on the unit
 * sphere, the others let them move in R^d.
 *
 * @param switchTime time at which MIX turns from Post-LN to Pre-LN, &gt; 0
 * @param alpha step of NGPT, &gt; 0
 */
public record Scheme(Kind kind, double switchTime, double alpha) {
  /** s_j = 1, the plain dynamics. */
  public static final Scheme POST = new Scheme(Kind.POST, 1, 1);

  /** The scheme, by its speed factor s_j and the growth of the radius. */
  public enum Kind {
    /** s = 1, r' = 0. */
    POST,
    /** s = r, r' = &lt;theta, A&gt;: x' = A(theta). */
    PRE,
    /** s = 1 and r' = 0 until the switch, then as PRE. */
    MIX,
    /** s = r |A|, r' = &lt;theta, A&gt; / |A|: x' = A(theta) / |A|. */
    PERI,
    /** s = |A| / alpha, r' = 0. */
    NGPT,
    /** s = sqrt(t + 1), r' = 0. */
    SQRT;

    /** Whether tokens have radii, so that they live in R^d. */
    public boolean radii() {
      return this == PRE || this == MIX || this == PERI;
    }
  }

  public Scheme {
    if (!(switchTime > 0 && switchTime < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the switch of mix must be > 0, got " + switchTime);
    }
    if (!(alpha > 0 && alpha < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the step alpha of ngpt must be > 0, got " + alpha);
    }
  }

  /** Factor on the velocity at time t that belongs to time alone. */
  double pace(double t) {
    return kind == Kind.SQRT ? 1 / Math.sqrt(t + 1) : 1;
  }

  /**
   * The rule in force; null for none.
   *
   * @param late whether the switch of MIX has passed
   */
  TokenRule rule(boolean late) {
    return switch (kind) {
      case POST, SQRT -> null;
      case PRE -> new TokenRule.Normalised(TokenRule.Normalised.Form.DIRECTIONS, 1);
      case MIX ->
          new TokenRule.Normalised(
              late ? TokenRule.Normalised.Form.DIRECTIONS : TokenRule.Normalised.Form.KEPT_RADIUS,
              1);
      case PERI -> new TokenRule.Normalised(TokenRule.Normalised.Form.UNIT, 1);
      case NGPT -> new TokenRule.Normalised(TokenRule.Normalised.Form.UNIT_TANGENT, alpha);
    };
  }
}
