package org.starling.paths.run;

import java.util.List;
import java.util.Map;
import org.starling.paths.experiment.PathExperiment.Point;
import org.starling.paths.theory.OrderParameters;

/**
 * A point of an experiment with its order parameters.
 *
 * @param facts the line of {@code points.jsonl}
 * @param parameters U_1 .. U_L and U_a
 */
public record PointResult(Point point, Map<String, Object> facts, OrderParameters parameters) {
  /** A number of the line. */
  public double number(String key) {
    return org.starling.core.store.Json.number(facts.get(key));
  }

  /** Whether the optimiser ended where it should. */
  public boolean converged() {
    return Boolean.TRUE.equals(facts.get("converged"));
  }

  /** The width, where all are equal. */
  public int width() {
    return point.network().readoutWidth();
  }

  /** U_1 row by row for a person. */
  public List<double[]> rows() {
    int n = point.network().paths();
    return java.util.stream.IntStream.range(0, n)
        .mapToObj(p -> java.util.Arrays.copyOfRange(parameters.first(), p * n, (p + 1) * n))
        .toList();
  }
}
