package org.starling.paths.theory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Readout;
import org.starling.core.paths.Sequences;
import org.starling.cpu.fast.FastProvider;
import org.starling.paths.task.HiddenMarkovTask;
import org.starling.paths.task.LabelledSequences;

/** Problems for tests, small or published. */
final class Problem {
  static final PathOperations OPERATIONS = new FastProvider().openPaths(null, Precision.DOUBLE);
  static final long KEEP = 1L << 30;

  private Problem() {}

  /** Gaussian attentioned inputs as a kernel's features. */
  static PathKernels kernels(int count, int paths, int width, long seed, long budget) {
    return new PathKernels(OPERATIONS, features(count, paths, width, seed), budget);
  }

  static PathFeatures features(int count, int paths, int width, long seed) {
    double[] values = gaussian(count * paths * width, seed);
    for (int k = 0; k < values.length; k++) {
      values[k] /= Math.sqrt((double) paths * width);
    }
    return OPERATIONS.upload(count, paths, width, values);
  }

  static double[] gaussian(int count, long seed) {
    Random random = new Random(seed);
    double[] values = new double[count];
    for (int k = 0; k < count; k++) {
      values[k] = random.nextGaussian();
    }
    return values;
  }

  static double[] signs(int count, long seed) {
    double[] values = gaussian(count, seed);
    for (int k = 0; k < count; k++) {
      values[k] = Math.signum(values[k]);
    }
    return values;
  }

  /** A random positive definite point. */
  static List<double[]> point(PathNetwork network, long seed) {
    List<double[]> u = new ArrayList<>();
    for (int l = 0; l < network.depth(); l++) {
      int n = network.pathsFrom(l);
      double[] r = gaussian(n * n, seed + l);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          r[i * n + j] = i == j ? 1 + 0.3 * Math.abs(r[i * n + j]) : j < i ? 0.2 * r[i * n + j] : 0;
        }
      }
      u.add(Small.gram(r, n));
    }
    return u;
  }

  /** Random inputs and heads. */
  static PathAttention attention(List<Integer> heads, int width, Readout readout, long seed) {
    List<List<double[]>> layers = new ArrayList<>();
    long next = seed;
    for (int count : heads) {
      List<double[]> layer = new ArrayList<>();
      for (int h = 0; h < count; h++) {
        layer.add(gaussian(width * width, next++));
      }
      layers.add(layer);
    }
    return new PathAttention(width, layers, false, readout);
  }

  static Sequences sequences(int count, int tokens, int width, long seed) {
    return new Sequences(count, tokens, width, gaussian(count * tokens * width, seed));
  }

  /** The published experiment of four paths, or that of two. */
  record Published(PathNetwork network, Action action, Predictor predictor, PathKernels kernels) {
    static Published of(boolean two) {
      HiddenMarkovTask task = HiddenMarkovTask.standard(two ? 5 : 1);
      LabelledSequences train = task.draw(100, 27);
      LabelledSequences test = task.draw(1000, 59);
      List<List<double[]>> heads =
          two
              ? List.of(List.of(task.goodHead(10), task.uniformHead()), List.of(task.uniformHead()))
              : List.of(
                  List.of(task.goodHead(10), task.randomHead(10, 1, 147)),
                  List.of(task.uniformHead(), task.randomHead(10, 1, 247)));
      PathAttention attention = new PathAttention(task.width(), heads, false, Readout.LAST_TOKEN);
      PathNetwork network = PathNetwork.plain(two ? List.of(2, 1) : List.of(2, 2), 10, 0.01);
      double scale = network.featureScale(attention);
      PathKernels kernels =
          new PathKernels(OPERATIONS, OPERATIONS.features(attention, train.inputs(), scale), KEEP);
      Action action = new Action(network, kernels, train.labels());
      PathFeatures seen = OPERATIONS.features(attention, test.inputs(), scale);
      Predictor predictor = new Predictor(action, seen, OPERATIONS.download(seen), test.labels());
      return new Published(network, action, predictor, kernels);
    }

    Action width(int width) {
      return new Action(network.withWidth(width), kernels, action.labels());
    }
  }
}
