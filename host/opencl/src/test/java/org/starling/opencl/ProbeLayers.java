package org.starling.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.TokenRule.Normalised;
import org.starling.core.model.Weight;

/** A few layers that together reach every variant of the attention kernels. */
final class ProbeLayers {
  private ProbeLayers() {}

  static List<Layer> all(int d) {
    Mask mixed = Mask.CAUSAL.and(Mask.window(5)).and(Mask.alibi(0.1));
    List<Layer> all = new ArrayList<>();
    all.add(layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1, identity(d)));
    all.add(layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1000, dense(d)));
    all.add(layer(Geometry.SPHERE, mixed, Normalisation.SOFTMAX, 9, dense(d), diagonal(d)));
    all.add(layer(Geometry.EUCLIDEAN, Mask.prefix(3), Normalisation.UNNORMALISED, 1, diagonal(d)));
    all.add(layer(Geometry.RESCALED, Mask.CAUSAL, Normalisation.SOFTMAX, 2, dense(d)));
    all.add(layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.HARDMAX, 4, dense(d), identity(d)));
    all.add(all.get(0).withRule(new Normalised(Normalised.Form.UNIT_TANGENT, 0.5)));
    all.add(
        all.get(0)
            .withRule(
                new FeedForward(
                    FeedForward.Source.TOKENS,
                    FeedForward.Activation.TANH,
                    dense(d),
                    null,
                    dense(d))));
    return all;
  }

  /** One layer a variant of the kernels whose tile sizes are chosen: that is for d &gt; 8. */
  static List<Layer> families(int d) {
    return List.of(
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 1, identity(d)),
        layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1000, dense(d)),
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.HARDMAX, 4, identity(d)));
  }

  /** Layers that have a series, d = 2 or 3; a short one in d = 3, where they have many terms. */
  static List<Layer> series(int d) {
    double b = d == 2 ? 2 : 0.2;
    return List.of(
        layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, b / 2, identity(d)),
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.UNNORMALISED, b, dense(d), identity(d)),
        layer(Geometry.SPHERE, Mask.prefix(3), Normalisation.SOFTMAX, b, diagonal(d)));
  }

  private static Layer layer(
      Geometry geometry, Mask mask, Normalisation normalisation, double beta, Weight... heads) {
    List<Layer.LayerHead> merged = new ArrayList<>();
    for (Weight w : heads) {
      Weight one = Weight.identity(w.rows());
      merged.add(new Layer.LayerHead(w, w, w, one));
    }
    return new Layer(geometry, mask, normalisation, beta, merged, null);
  }

  private static Weight identity(int d) {
    return Weight.identity(d);
  }

  private static Weight diagonal(int d) {
    return Weight.diagonal(new Random(d).doubles(d, -1, 1).toArray());
  }

  private static Weight dense(int d) {
    return Weight.dense(d, d, new Random(d).doubles((long) d * d, -1, 1).toArray());
  }
}
