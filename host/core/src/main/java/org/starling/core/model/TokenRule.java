package org.starling.core.model;

/**
 * What becomes of each token's attention output A_i besides the geometry's own rule. Engines
 * compute the attention as the layer's geometry says and then go token by token.
 */
public sealed interface TokenRule permits TokenRule.Normalised, FeedForward {
  /** Why tokens cannot stand together as keys under such a rule. */
  String NOT_MERGED =
      "under a normalisation scheme or with a feed-forward term tokens at one place need not move"
          + " alike, so they cannot be merged";

  /** Whether attention reads directions theta_j = x_j / |x_j| instead of positions. */
  boolean readsDirections();

  /**
   * A normalisation scheme within one layer.
   *
   * @param speed factor on the velocity; read by {@link Form#UNIT_TANGENT}
   */
  record Normalised(Form form, double speed) implements TokenRule {
    /** What the velocity is. An A_i that is exactly 0 has no direction and moves nothing. */
    public enum Form {
      /** x_i' = A_i(theta): Pre-LN. */
      DIRECTIONS,
      /** x_i' = A_i(theta) / |A_i(theta)|: Peri-LN. */
      UNIT,
      /** x_i' = |x_i| P_theta A_i(theta): Post-LN at whatever radius, Mix-LN before its switch. */
      KEPT_RADIUS,
      /** x_i' = speed P_x A_i / |A_i|: nGPT. */
      UNIT_TANGENT
    }

    @Override
    public boolean readsDirections() {
      return form != Form.UNIT_TANGENT;
    }
  }
}
