package org.starling.core.integrate;

import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;

/**
 * Whether and how nearly coinciding tokens are merged while a system is integrated. A token joins
 * the lowest token that is nearer than {@code distance} and leads a group. Under the full mask a
 * group is put at the mean of its tokens and stays together; otherwise its tokens are merged as
 * keys only, and grouped anew each time.
 *
 * @param distance how near a token must be to the leader of its group, &gt; 0
 * @param every accepted steps between two groupings, &gt;= 1; where keys alone are merged, tokens
 *     are grouped sooner when one has left its key by more than {@code distance}
 */
public record Merging(double distance, long every) {
  public static final long DEFAULT_EVERY = 10;

  public Merging {
    if (!(distance > 0 && distance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the merging distance must be finite and > 0, got " + distance);
    }
    if (every < 1) {
      throw new IllegalArgumentException("tokens are grouped every >= 1 steps, got " + every);
    }
  }

  /**
   * How far a velocity can be off when keys stand up to {@code shift} from their tokens: on the
   * sphere with softmax every weight changes by a factor within e^{2 beta |S| shift} and every
   * token is within 2 of every other, so sum_h |V_h| (shift + 2 (e^{2 beta |S_h| shift} - 1)).
   *
   * @return NaN elsewhere, where positions have no bound
   */
  public static double velocityBound(Layer layer, double shift) {
    if (layer.geometry() != Geometry.SPHERE || layer.normalisation() != Normalisation.SOFTMAX) {
      return Double.NaN;
    }
    double bound = 0;
    for (Layer.LayerHead head : layer.heads()) {
      double score = 2 * Math.abs(layer.beta()) * head.s().spectralBound() * shift;
      bound += head.v().spectralBound() * (shift + 2 * Math.expm1(score));
    }
    return bound;
  }

  /**
   * What merging has done to one replica.
   *
   * @param groups groups that stand for the tokens now; n where nothing is merged
   * @param largestShift farthest that a token stood from its key, or was moved, when looked at
   */
  public record Effect(long groups, double largestShift) {}
}
