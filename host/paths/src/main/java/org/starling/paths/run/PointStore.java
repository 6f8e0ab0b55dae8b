package org.starling.paths.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.ElementType;
import org.starling.core.store.FileStore;
import org.starling.core.store.Json;
import org.starling.core.store.Npy;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.StoreException;
import org.starling.paths.experiment.PathExperiment.Point;
import org.starling.paths.theory.OrderParameters;
import org.starling.paths.theory.Prediction;

/**
 * The points of a run on disk: arrays of a point in {@code points/NNNN/}, then, when these are
 * durable, its line in {@code points.jsonl}. A point without its line is computed again.
 */
final class PointStore {
  private final FileStore store;
  private final Path folder;
  private final Path lines;

  PointStore(RunDirectory directory) {
    store = directory.store();
    folder = directory.path().resolve("points");
    lines = directory.path().resolve("points.jsonl");
  }

  /** Deletes all points. */
  void clear() {
    store.delete(lines);
    for (String name : store.list(folder)) {
      for (String file : store.list(folder.resolve(name))) {
        store.delete(folder.resolve(name).resolve(file));
      }
    }
  }

  /** Points that are there, those of the experiment in its order. */
  List<PointResult> read(List<Point> points) {
    List<PointResult> all = new ArrayList<>();
    for (Map<String, Object> facts : AppendedLines.read(store, lines)) {
      if (all.size() == points.size() || Json.integer(facts.get("index")) != all.size()) {
        throw new StoreException(
            StoreException.Kind.DAMAGED,
            lines + " is damaged at point " + all.size() + "; start again with --force");
      }
      Point point = points.get(all.size());
      List<double[]> u = new ArrayList<>();
      for (int l = 0; l < point.network().depth(); l++) {
        int n = point.network().pathsFrom(l);
        Path file = place(point).resolve("u" + (l + 1) + ".npy");
        u.add(Npy.decode(store.read(file), file.toString()).requireShape(n, n).doubles());
      }
      all.add(
          new PointResult(point, facts, new OrderParameters(u, Json.number(facts.get("readout")))));
    }
    return all;
  }

  private Path place(Point point) {
    return folder.resolve(String.format(java.util.Locale.ROOT, "%04d", point.index()));
  }

  /** Writes a point; afterwards it is durable. */
  void append(PointResult result, Prediction prediction) {
    Path place = place(result.point());
    store.createDirectories(place);
    for (int l = 0; l < result.parameters().u().size(); l++) {
      int n = result.point().network().pathsFrom(l);
      put(place, "u" + (l + 1), result.parameters().u().get(l), n, n);
    }
    put(place, "mean", prediction.mean(), prediction.mean().length);
    put(place, "variance", prediction.variance(), prediction.variance().length);
    store.forceDirectory(folder);
    cutTornLine();
    store.append(lines, Json.line(result.facts()));
    store.force(lines);
    store.forceDirectory(lines.getParent());
  }

  private void cutTornLine() {
    if (!store.exists(lines)) {
      return;
    }
    byte[] text = store.read(lines);
    int end = text.length;
    while (end > 0 && text[end - 1] != '\n') {
      end--;
    }
    if (end < text.length) {
      store.replace(lines, Arrays.copyOf(text, end));
    }
  }

  private void put(Path place, String name, double[] values, int... shape) {
    store.replace(place.resolve(name + ".npy"), Npy.encode(ElementType.FLOAT64, values, shape));
  }
}
