package org.starling.core.model;

/** Where tokens live and how the attention output becomes a velocity. */
public enum Geometry {
  /**
   * Unit sphere S^{d-1}: x_i' = P_x u_i with P_x y = y - (&lt;y,x&gt;/|x|^2) x. The division by
   * |x|^2 makes P_x x exactly 0 for states that are unit vectors only up to rounding.
   */
  SPHERE,
  /** R^d without normalisation: x_i' = u_i (model E of the emergence paper). */
  EUCLIDEAN,
  /**
   * Rescaled tokens z = e^{-tV} x in R^d (model R of the emergence paper): z_i' = sum_j w_ij V (z_j
   * - z_i), with scores of e^{tV} z.
   */
  RESCALED
}
