package org.starling.paths.run;

import org.starling.core.engine.EngineException;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.paths.experiment.ResolvedPaths;
import org.starling.paths.theory.Action;
import org.starling.paths.theory.PathKernels;
import org.starling.paths.theory.PathNetwork;
import org.starling.paths.theory.Predictor;

/** The data of one seed on the device, with the kernels of its training examples. */
public final class PathScene implements AutoCloseable {
  private final long seed;
  private final ResolvedPaths.Data data;
  private final PathFeatures train;
  private final PathFeatures test;
  private final double[] testValues;
  private final double error;
  private final PathKernels kernels;

  /**
   * @param judge computes a few examples again
   * @throws EngineException of kind DEVICE_FAILURE if these differ
   */
  PathScene(long seed, ResolvedPaths resolved, PathOperations operations, PathOperations judge) {
    this.seed = seed;
    data = resolved.data(seed);
    double scale = resolved.experiment().network().featureScale(data.attention());
    train = operations.features(data.attention(), data.train().inputs(), scale);
    test = operations.features(data.attention(), data.test().inputs(), scale);
    testValues = operations.download(test);
    error = FeatureCheck.largestError(data, testValues, scale, judge);
    double allowed = FeatureCheck.allowed(operations.precision());
    if (!(error <= allowed)) {
      close();
      throw new EngineException(
          EngineException.Kind.DEVICE_FAILURE,
          "attentioned inputs of "
              + operations.identity().device()
              + " differ from the reference by "
              + error
              + " of the largest, allowed is "
              + allowed
              + "; choose another device");
    }
    kernels = new PathKernels(operations, train, resolved.experiment().memory());
  }

  public long seed() {
    return seed;
  }

  /** Sizes and the memory plan, for a person. */
  String describe() {
    return data.train().count()
        + " training and "
        + data.test().count()
        + " test examples of "
        + data.train().inputs().tokens()
        + " tokens in "
        + data.attention().width()
        + " dimensions; "
        + kernels.describe();
  }

  /**
   * Largest difference from the reference over the largest attentioned input, at a few examples.
   */
  double error() {
    return error;
  }

  /** The action of a network on these data. */
  public Action action(PathNetwork network) {
    return new Action(network, kernels, data.train().labels());
  }

  /** Predictions at the test examples. */
  public Predictor predictor(Action action) {
    return new Predictor(action, test, testValues, data.test().labels());
  }

  @Override
  public void close() {
    train.close();
    test.close();
  }
}
