package org.starling.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.app.device.DeviceCatalogue;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.store.Json;
import org.starling.core.store.TrajectoryReader;

/**
 * The observables of a run, as its device reported them, beside those that the engine {@code java}
 * computes in float64 from the saved positions.
 */
final class FrameComparison {
  /** A relative difference up to here is rounding of float32 positions and sums. */
  private static final double ALLOWED = 1e-4;

  private final Path run;

  /** One number of one frame. */
  record Line(double t, String observable, double device, double processor) {
    /** Difference relative to the larger of the value and 1e-3, for those that pass through 0. */
    double apart() {
      return Math.abs(device - processor) / Math.max(1e-3, Math.abs(processor));
    }
  }

  /**
   * What was compared.
   *
   * @param frames frames of the run
   * @param compared frames for which there was time
   */
  record Result(List<Line> lines, int frames, int compared) {
    boolean agree() {
      // NaN is no agreement.
      return compared > 0 && lines.stream().allMatch(l -> l.apart() <= ALLOWED);
    }

    String text() {
      StringBuilder text = new StringBuilder();
      for (Line l : lines) {
        text.append(
            String.format(
                Locale.ROOT,
                "t=%-10.4g %-22s device %-16.9g java, float64 %-16.9g apart %.1e%n",
                l.t(),
                l.observable(),
                l.device(),
                l.processor(),
                l.apart()));
      }
      return text
          + String.format(
              "%s: %d of %d frames compared, allowed %.0e%n",
              agree() ? "AGREE" : "DIFFER", compared, frames, ALLOWED);
    }

    Map<String, Object> asMap() {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("agree", agree());
      m.put("frames", frames);
      m.put("compared", compared);
      m.put("allowed", ALLOWED);
      List<Object> all = new ArrayList<>();
      for (Line l : lines) {
        all.add(
            Map.of(
                "t", l.t(),
                "observable", l.observable(),
                "device", l.device(),
                "java", l.processor()));
      }
      m.put("lines", all);
      return m;
    }
  }

  FrameComparison(Path run) {
    this.run = run;
  }

  /** Last frame first, as many as the time allows, at least one. */
  Result onTheProcessor(double seconds) throws IOException {
    long start = System.nanoTime();
    TrajectoryReader frames = TrajectoryReader.open(run);
    List<Map<String, Object>> reports = reports();
    String text = Files.readString(run.resolve("experiment.yaml"), StandardCharsets.UTF_8);
    Layer layer =
        Specification.firstLayers(
                ExperimentFile.parse("experiment.yaml", text, run, List.of()).resolve())
            .get(0);
    List<Line> lines = new ArrayList<>();
    int compared = 0;
    double longest = 0;
    int[] shape = frames.frameShape();
    try (Engine engine = java();
        State x = engine.allocateState(new Shape(1, shape[0], shape[1]))) {
      for (int f = frames.frames() - 1; f >= 0; f--) {
        double begun = (System.nanoTime() - start) * 1e-9;
        if (compared > 0 && begun + longest > seconds) {
          break;
        }
        engine.upload(x, frames.frame(f));
        compare(
            engine.observations(), x, layer, frames.time(f), at(reports, frames.time(f)), lines);
        longest = Math.max(longest, (System.nanoTime() - start) * 1e-9 - begun);
        compared++;
      }
    }
    return new Result(lines, frames.frames(), compared);
  }

  private static void compare(
      Observations o, State x, Layer layer, double t, Map<String, Object> report, List<Line> to) {
    Layer[] layers = {layer};
    Observations.PairStatistics pairs = o.innerProducts(x, 2)[0];
    Map<String, Double> own = new LinkedHashMap<>();
    own.put("energy", o.energy(x, layers)[0]);
    own.put("order-parameter", o.orderParameter(x)[0]);
    own.put("attention-entropy", o.attentionEntropy(x, layers)[0]);
    own.put("inner-products-min", pairs.min());
    own.put("inner-products-mean", pairs.mean());
    own.put("inner-products-max", pairs.max());
    own.forEach(
        (name, value) -> {
          if (report.containsKey(name)) {
            to.add(new Line(t, name, Json.number(report.get(name)), value));
          }
        });
  }

  private List<Map<String, Object>> reports() throws IOException {
    List<Map<String, Object>> all = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("scalars.jsonl"), StandardCharsets.UTF_8)) {
      all.add(Json.read(line.getBytes(StandardCharsets.UTF_8), "scalars.jsonl"));
    }
    return all;
  }

  private static Map<String, Object> at(List<Map<String, Object>> reports, double t) {
    for (Map<String, Object> r : reports) {
      if (Json.number(r.get("t")) == t) {
        return r;
      }
    }
    throw new IllegalStateException("no report at t = " + t);
  }

  private static Engine java() {
    for (DeviceCatalogue.Entry e : DeviceCatalogue.discover().entries()) {
      if (e.device().engine().equals("java") && e.device().usable()) {
        return e.provider().open(e.device(), EngineOptions.of(Precision.DOUBLE));
      }
    }
    throw new EngineException(
        EngineException.Kind.ENVIRONMENT,
        "the engine java is not part of this program: build it again with ./mvnw -q verify");
  }
}
