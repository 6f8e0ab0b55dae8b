package org.starling.core.model;

import java.util.List;
import java.util.Objects;

/**
 * Everything an engine needs to evaluate attention once, as numbers: the parameters of the dynamics
 * frozen at one time. Engines may cache what they derive from a layer by identity.
 *
 * <p>Scores are s_ij = beta &lt;x_i, S_h x_j&gt; + mask.bias(i, j), or the interaction's score.
 *
 * @param geometry how u becomes a velocity
 * @param mask live keys and bias
 * @param normalisation weights from scores
 * @param beta effective inverse temperature: beta, times 1/sqrt(d) where score_scale asks for it
 * @param heads merged heads, at least one
 * @param interaction the user's own score, or null
 */
public record Layer(
    Geometry geometry,
    Mask mask,
    Normalisation normalisation,
    double beta,
    List<LayerHead> heads,
    Interaction interaction) {

  /**
   * One head as an engine sees it.
   *
   * @param s merged score matrix S = Q^T K (rescaled: e^{tV^T} Q^T K e^{tV}), {@code [d][d]}
   * @param v value matrix acting on the state, {@code [d][d]}
   * @param q the query matrix {@code [m][d]} and
   * @param k the key matrix {@code [m][d]} with s = q^T k; read only where an interaction needs
   *     them
   */
  public record LayerHead(Weight s, Weight v, Weight q, Weight k) {}

  public Layer {
    Objects.requireNonNull(geometry);
    Objects.requireNonNull(mask);
    Objects.requireNonNull(normalisation);
    heads = List.copyOf(heads);
    if (heads.isEmpty()) {
      throw new IllegalArgumentException("a layer needs at least one head");
    }
  }

  public int d() {
    return heads.get(0).v().rows();
  }
}
