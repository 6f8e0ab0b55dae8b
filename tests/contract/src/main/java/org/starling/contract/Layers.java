package org.starling.contract;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/** Layers for tests. */
final class Layers {
  private Layers() {}

  /** Kinds of weight matrices. */
  enum Weights {
    IDENTITY,
    SCALAR,
    DIAGONAL,
    DENSE,
    RECTANGULAR,
    THREE_HEADS
  }

  /** Q = K = V = I on the sphere, full softmax. */
  static Layer identity(int d, double beta) {
    return of(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, beta, d, Weights.IDENTITY, 0);
  }

  static Layer of(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      double beta,
      int d,
      Weights weights,
      long seed) {
    return new Layer(geometry, mask, normalisation, beta, heads(d, weights, seed), null);
  }

  private static List<Layer.LayerHead> heads(int d, Weights weights, long seed) {
    List<Layer.LayerHead> heads = new ArrayList<>();
    switch (weights) {
      case IDENTITY -> heads.add(head(Weight.identity(d), Weight.identity(d), Weight.identity(d)));
      case SCALAR ->
          heads.add(head(Weight.scalar(d, 0.5), Weight.scalar(d, -1.5), Weight.scalar(d, 2)));
      case DIAGONAL ->
          heads.add(
              head(
                  Weight.diagonal(Tokens.gaussian(1, d, seed)),
                  Weight.diagonal(Tokens.gaussian(1, d, seed + 1)),
                  Weight.diagonal(Tokens.gaussian(1, d, seed + 2))));
      case DENSE ->
          heads.add(head(gaussian(d, d, seed), gaussian(d, d, seed + 1), gaussian(d, d, seed + 2)));
      case RECTANGULAR ->
          heads.add(
              head(
                  gaussian(d / 2 + 1, d, seed),
                  gaussian(d / 2 + 1, d, seed + 1),
                  gaussian(d, d, seed + 2)));
      case THREE_HEADS -> {
        heads.addAll(heads(d, Weights.DENSE, seed));
        heads.addAll(heads(d, Weights.IDENTITY, seed));
        heads.addAll(heads(d, Weights.RECTANGULAR, seed + 3));
      }
    }
    return heads;
  }

  /** Entries of variance 1/d, so that the norm does not grow with d. */
  private static Weight gaussian(int rows, int d, long seed) {
    double[] entries = Tokens.gaussian(rows, d, seed);
    for (int a = 0; a < entries.length; a++) {
      entries[a] /= Math.sqrt(d);
    }
    return Weight.dense(rows, d, entries);
  }

  static Layer.LayerHead head(Weight q, Weight k, Weight v) {
    return new Layer.LayerHead(q.transposed().times(k), v, q, k);
  }
}
