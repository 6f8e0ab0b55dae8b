package org.starling.paths.run;

import java.util.Arrays;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Sequences;
import org.starling.paths.experiment.ResolvedPaths;

/** Attentioned inputs of a few test examples against those of the reference. */
final class FeatureCheck {
  private FeatureCheck() {}

  /** Difference over the largest value that is allowed. */
  static double allowed(Precision precision) {
    return precision == Precision.DOUBLE ? 1e-11 : 1e-4;
  }

  /**
   * First, middle and last test example.
   *
   * @param values of all test examples, {@code [count][paths][width]}
   */
  static double largestError(
      ResolvedPaths.Data data, double[] values, double scale, PathOperations judge) {
    Sequences all = data.test().inputs();
    int[] chosen = {0, all.count() / 2, all.count() - 1};
    int length = all.tokens() * all.width();
    double[] x = new double[chosen.length * length];
    for (int k = 0; k < chosen.length; k++) {
      System.arraycopy(all.x(), chosen[k] * length, x, k * length, length);
    }
    Sequences few = new Sequences(chosen.length, all.tokens(), all.width(), x);
    double largest = 0;
    double error = 0;
    try (PathFeatures features = judge.features(data.attention(), few, scale)) {
      double[] expected = judge.download(features);
      int size = expected.length / chosen.length;
      for (int k = 0; k < expected.length; k++) {
        largest = Math.max(largest, Math.abs(expected[k]));
      }
      for (int k = 0; k < expected.length; k++) {
        double difference = Math.abs(values[chosen[k / size] * size + k % size] - expected[k]);
        // NaN must not pass.
        error = difference <= error ? error : difference;
      }
      if (Arrays.stream(expected).anyMatch(v -> !Double.isFinite(v))) {
        return Double.NaN;
      }
    }
    return largest == 0 ? error : error / largest;
  }
}
