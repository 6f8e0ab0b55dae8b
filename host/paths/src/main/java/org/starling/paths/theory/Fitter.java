package org.starling.paths.theory;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Finds the least action from several starts. */
public final class Fitter {
  /** Gradient at the end relative to that at infinite width, where U departs from as 1/N. */
  private static final double RELATIVE = 1e-8;

  /** What rounding leaves of a gradient of F divided by the largest width. */
  private static final double FLOOR = 1e-12;

  private final int starts;
  private final int iterations;
  private final long seed;

  /**
   * @param starts 1 or more: the first from infinite width or a neighbour, the others from random
   *     positive definite matrices
   * @param iterations at most, of each start
   * @param seed of the random starts
   */
  public Fitter(int starts, int iterations, long seed) {
    this.starts = starts;
    this.iterations = iterations;
    this.seed = seed;
  }

  /**
   * The least action.
   *
   * @param near where the first start begins; null for infinite width
   */
  public Fit fit(Action action, OrderParameters near) {
    PathNetwork network = action.network();
    double[] limit = action.coordinates(OrderParameters.limit(network).u());
    double[] slope = new double[limit.length];
    double there = action.objective(limit, slope);
    if (!Double.isFinite(there)) {
      throw new ArithmeticException(
          "the kernel at infinite width plus T = "
              + network.temperature()
              + " is not positive definite in float64; raise the temperature");
    }
    double tolerance = Math.max(RELATIVE * Lbfgs.largest(slope), FLOOR);
    List<Lbfgs.Result> ends = new ArrayList<>();
    int evaluations = 1;
    for (int k = 0; k < starts; k++) {
      double[] begin =
          k == 0
              ? near == null ? limit : action.coordinates(near.u())
              : random(limit, network, seed + k);
      Lbfgs.Result end = Lbfgs.minimise(action::objective, begin, tolerance, iterations);
      evaluations += end.evaluations();
      ends.add(end);
    }
    Lbfgs.Result best = ends.get(0);
    for (Lbfgs.Result end : ends) {
      best = better(end, best) ? end : best;
    }
    OrderParameters point = action.point(best.x());
    Action.Value value = action.ofRoots(action.roots(best.x()));
    List<Fit.Ending> others = new ArrayList<>();
    for (Lbfgs.Result end : ends) {
      if (end != best) {
        others.add(
            new Fit.Ending(
                end.value() - best.value(),
                distance(action.point(end.x()).first(), point.first())));
      }
    }
    Curvature curvature = Curvature.smallest(action::objective, best.x());
    return new Fit(
        network,
        point,
        value.energy(),
        value.entropy(),
        best.iterations(),
        evaluations + curvature.evaluations(),
        best.gradient(),
        best.converged(),
        curvature.value(),
        others);
  }

  /** Values that agree to rounding are told apart by their gradient. */
  private static boolean better(Lbfgs.Result a, Lbfgs.Result b) {
    double same = 1e-12 * Math.abs(b.value());
    return a.value() < b.value() - same
        || a.value() < b.value() + same && a.gradient() < b.gradient();
  }

  /** The limit with roots shaken by half of themselves. */
  private static double[] random(double[] limit, PathNetwork network, long seed) {
    Random random = new Random(seed);
    double[] x = limit.clone();
    int at = 0;
    for (int l = 0; l < network.depth(); l++) {
      int n = network.pathsFrom(l);
      double size = Math.sqrt(network.limitVariance(l));
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          x[at++] += random.nextGaussian() * (i == j ? 0.5 : 0.5 * size / Math.sqrt(n));
        }
      }
    }
    return x;
  }

  private static double distance(double[] a, double[] b) {
    double largest = 0;
    for (int k = 0; k < a.length; k++) {
      largest = Math.max(largest, Math.abs(a[k] - b[k]));
    }
    return largest;
  }
}
