package org.starling.paths.run;

import java.util.ArrayList;
import java.util.List;
import org.starling.paths.theory.Action;
import org.starling.paths.theory.Alignment;
import org.starling.paths.theory.Heads;
import org.starling.paths.theory.OrderParameters;
import org.starling.paths.theory.PathNetwork;
import org.starling.paths.theory.Prediction;
import org.starling.paths.theory.Predictor;

/** What is asked of order parameters that are found: predictions, alignment, heads. */
public final class PathStudies {
  private PathStudies() {}

  /**
   * Predictions with a matrix in place of U_1.
   *
   * @param name what the matrix is
   */
  public record Named(String name, Prediction prediction) {}

  /** Whether paths are chosen, {@code [n]}, under a name. */
  public record Selection(String name, boolean[] kept) {}

  /**
   * Predictions of the full kernel, of its limit, of its diagonal, of chosen paths, of single
   * paths, and without every one path.
   */
  public static List<Named> predictions(
      PathScene scene, PointResult result, List<Selection> chosen) {
    PathNetwork network = result.point().network();
    int n = network.paths();
    Action action = scene.action(network);
    Predictor predictor = scene.predictor(action);
    double[] u = result.parameters().first();
    double[] limit = OrderParameters.limit(network).first();
    List<Named> all = new ArrayList<>();
    all.add(new Named("all paths", predictor.at(u)));
    all.add(new Named("infinite width", predictor.at(limit)));
    all.add(new Named("diagonal of U only", predictor.at(Heads.diagonal(u, n))));
    for (Selection s : chosen) {
      all.add(new Named(s.name(), predictor.at(Heads.restricted(u, s.kept()))));
      int kept = 0;
      for (boolean k : s.kept()) {
        kept += k ? 1 : 0;
      }
      // A network of these paths alone has their number in place of n.
      double[] own = Heads.restricted(limit, s.kept());
      for (int k = 0; k < own.length; k++) {
        own[k] *= (double) n / kept;
      }
      all.add(new Named(s.name() + ", network of their own at infinite width", predictor.at(own)));
    }
    for (int p = 0; p < n && n > 1 && n <= 64; p++) {
      boolean[] without = new boolean[n];
      java.util.Arrays.fill(without, true);
      without[p] = false;
      all.add(
          new Named(
              "without path " + name(network, p), predictor.at(Heads.restricted(u, without))));
    }
    return all;
  }

  /** A path by its heads, 0-1 for head 0 of the first layer and 1 of the second. */
  public static String name(PathNetwork network, int path) {
    StringBuilder name = new StringBuilder();
    for (int l = 0; l < network.depth(); l++) {
      name.append(l == 0 ? "" : "-")
          .append(path / network.pathsFrom(l + 1) % network.heads().get(l));
    }
    return name.toString();
  }

  /** Spectrum and overlaps at the point and at infinite width. */
  public static List<Alignment> alignments(PathScene scene, PointResult result) {
    Action action = scene.action(result.point().network());
    return List.of(
        Alignment.of(action, result.parameters().first()),
        Alignment.of(action, OrderParameters.limit(result.point().network()).first()));
  }

  /**
   * A step of pruning.
   *
   * @param head taken away last; null for none yet
   * @param alone predictions without this head only; null where nothing would be left
   * @param together predictions without it and all before it; null where it has to stay
   */
  public record Pruned(Heads.Score head, Prediction alone, Prediction together) {}

  /**
   * Heads silenced one after another from the lowest score up, U_1 left as it is otherwise; the
   * last head of a layer stays, since nothing would be left.
   */
  public static List<Pruned> pruning(PathScene scene, PointResult result) {
    PathNetwork network = result.point().network();
    Predictor predictor = scene.predictor(scene.action(network));
    double[] u = result.parameters().first();
    List<Pruned> curve = new ArrayList<>();
    curve.add(new Pruned(null, null, predictor.at(u)));
    List<Heads.Score> gone = new ArrayList<>();
    int[] left = network.heads().stream().mapToInt(Integer::intValue).toArray();
    for (Heads.Score head : Heads.scores(network, u)) {
      if (network.heads().get(head.layer()) == 1) {
        curve.add(new Pruned(head, null, null));
        continue;
      }
      Prediction alone = predictor.at(Heads.silenced(network, u, List.of(head)));
      if (left[head.layer()] == 1) {
        curve.add(new Pruned(head, alone, null));
        continue;
      }
      left[head.layer()]--;
      gone.add(head);
      curve.add(new Pruned(head, alone, predictor.at(Heads.silenced(network, u, gone))));
    }
    return curve;
  }
}
