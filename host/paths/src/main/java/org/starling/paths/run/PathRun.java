package org.starling.paths.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.paths.PathOperations;
import org.starling.core.run.StopRequest;
import org.starling.core.store.RunDirectory;
import org.starling.paths.experiment.PathExperiment;
import org.starling.paths.experiment.PathExperiment.Point;
import org.starling.paths.experiment.ResolvedPaths;
import org.starling.paths.theory.Action;
import org.starling.paths.theory.Fit;
import org.starling.paths.theory.Fitter;
import org.starling.paths.theory.Flux;
import org.starling.paths.theory.Heads;
import org.starling.paths.theory.OrderParameters;
import org.starling.paths.theory.Prediction;

/**
 * Computes the points of an experiment, those that are missing in its directory. A point begins
 * from the order parameters of the one before it on the same data, as they stand in the directory,
 * so that an interrupted run gives the same numbers.
 */
public final class PathRun implements AutoCloseable {
  private final ResolvedPaths resolved;
  private final PathOperations operations;
  private final PathOperations judge;
  private final PointStore store;
  private final Consumer<String> progress;
  private final StopRequest stop;
  private final Map<String, Object> check = new LinkedHashMap<>();
  private PathScene scene;

  /**
   * @param judge computes a few examples of every seed again
   * @param progress is told of every point
   */
  public PathRun(
      ResolvedPaths resolved,
      PathOperations operations,
      PathOperations judge,
      RunDirectory directory,
      Consumer<String> progress,
      StopRequest stop) {
    this.resolved = resolved;
    this.operations = operations;
    this.judge = judge;
    this.progress = progress;
    this.stop = stop;
    store = new PointStore(directory);
  }

  /** Deletes the points of an earlier run in the directory. */
  public void clear() {
    store.clear();
  }

  /**
   * Computes what is missing.
   *
   * @return all points; fewer where a stop was asked for
   */
  public List<PointResult> compute() {
    List<Point> points = resolved.experiment().points();
    List<PointResult> done = new ArrayList<>(store.read(points));
    while (done.size() < points.size() && stop.reason() == null) {
      Point point = points.get(done.size());
      PathScene here = scene(point.seed());
      Action action = here.action(point.network());
      PointResult before = done.isEmpty() ? null : done.get(done.size() - 1);
      boolean same = before != null && before.point().seed() == point.seed();
      PathExperiment e = resolved.experiment();
      Fit fit =
          new Fitter(e.starts(), e.iterations(), point.seed() + 1)
              .fit(action, same ? before.parameters() : null);
      Prediction prediction = here.predictor(action).at(fit.parameters().first());
      PointResult result =
          new PointResult(point, facts(point, here, action, fit, prediction), fit.parameters());
      store.append(result, prediction);
      done.add(result);
      progress.accept(line(result, points.size()));
    }
    return done;
  }

  /** Data and kernels of a seed; those of one seed at a time are kept. */
  public PathScene scene(long seed) {
    if (scene == null || scene.seed() != seed) {
      if (scene != null) {
        scene.close();
      }
      scene = new PathScene(seed, resolved, operations, judge);
      check.put(Long.toString(seed), scene.error());
      progress.accept(scene.describe());
    }
    return scene;
  }

  private static Map<String, Object> facts(
      Point point, PathScene scene, Action action, Fit fit, Prediction prediction) {
    int n = point.network().paths();
    double[] u = fit.parameters().first();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("index", point.index());
    facts.put("seed", point.seed());
    facts.put("temperature", point.network().temperature());
    facts.put("widths", point.network().widths());
    facts.put("readout_width", point.network().readoutWidth());
    double widest = point.network().largestWidth();
    facts.put("action_per_width", fit.action() / widest);
    facts.put("energy", fit.energy());
    facts.put("entropy", fit.entropy());
    facts.put("readout", fit.parameters().readout());
    facts.put("iterations", fit.iterations());
    facts.put("evaluations", fit.evaluations());
    facts.put("gradient", fit.gradient());
    facts.put("converged", fit.converged());
    facts.put("smallest_curvature", fit.curvature());
    List<Object> others = new ArrayList<>();
    fit.others().forEach(o -> others.add(List.of(o.excess(), o.distance())));
    facts.put("other_starts", others);
    facts.put("flux", boxed(Flux.of(action, fit.parameters())));
    facts.put("accuracy", prediction.accuracy());
    facts.put("bias", prediction.bias());
    facts.put("variance", prediction.meanVariance());
    Prediction limit = scene.predictor(action).at(OrderParameters.limit(point.network()).first());
    facts.put("limit_accuracy", limit.accuracy());
    facts.put("limit_bias", limit.bias());
    facts.put("limit_variance", limit.meanVariance());
    facts.put("diagonal_accuracy", scene.predictor(action).at(Heads.diagonal(u, n)).accuracy());
    return facts;
  }

  private static List<Double> boxed(double[] values) {
    return java.util.Arrays.stream(values).boxed().toList();
  }

  /** A point in a line for a person. */
  public static String line(PointResult r, int all) {
    return String.format(
        Locale.ROOT,
        "point %d of %d: N = %d, T = %s, seed %d: accuracy %.1f %%, F/N = %.6f, %d iterations%s",
        r.point().index() + 1,
        all,
        r.width(),
        r.point().network().temperature(),
        r.point().seed(),
        100 * r.number("accuracy"),
        r.number("action_per_width"),
        ((Number) r.facts().get("iterations")).longValue(),
        r.converged() ? "" : ", NOT CONVERGED");
  }

  /**
   * Largest difference of a few attentioned inputs from the reference, over the largest one, of
   * every seed that was computed.
   */
  public Map<String, Object> check() {
    return check;
  }

  /** What computes, for the manifest. */
  public Map<String, Object> engine() {
    EngineIdentity identity = operations.identity();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("engine", identity.engine());
    facts.put("precision", operations.precision().name().toLowerCase(Locale.ROOT));
    facts.put("device", identity.device());
    facts.put("driver", identity.driver());
    facts.put("platform", identity.platform());
    facts.put("kernel_hash", identity.kernelHash());
    facts.put("settings", identity.settings());
    return facts;
  }

  @Override
  public void close() {
    if (scene != null) {
      scene.close();
    }
  }
}
