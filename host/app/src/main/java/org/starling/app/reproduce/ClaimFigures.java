package org.starling.app.reproduce;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.starling.analysis.attention.AttentionRows;
import org.starling.analysis.attention.Leaders;
import org.starling.analysis.cluster.GapGroups;
import org.starling.analysis.spectrum.HyperplaneLevels;
import org.starling.app.figures.PaperFigures;
import org.starling.app.figures.PaperFigures.Curves;
import org.starling.app.figures.PaperFigures.Paths;
import org.starling.app.figures.PaperFigures.Plane;
import org.starling.core.experiment.Claim.FigureCall;
import org.starling.core.experiment.Measure;
import org.starling.core.experiment.SaveSpec;
import org.starling.core.model.Geometry;
import org.starling.core.model.Normalisation;

/** Draws the figures of a claim. */
final class ClaimFigures {
  private static final int PANELS = 6;

  private final ClaimVerdict verdict;
  private final Path folder;

  ClaimFigures(ClaimVerdict verdict, Path folder) {
    this.verdict = verdict;
    this.folder = folder;
  }

  /** Draws all; gives their names. */
  List<String> draw() {
    List<String> names = new ArrayList<>();
    int number = 1;
    for (FigureCall call : verdict.claim().figures()) {
      String kind = call.kind().name().toLowerCase(Locale.ROOT);
      String name =
          number++
              + "-"
              + kind
              + (call.quantity() == null ? "" : "-" + call.quantity().measure().label());
      draw(call, name, named(call.run()));
      names.add(name);
    }
    return names;
  }

  private RunVerdict named(String run) {
    return verdict.runs().stream().filter(r -> r.name().equals(run)).findFirst().orElseThrow();
  }

  private void draw(FigureCall call, String name, RunVerdict run) {
    PaperFigures figures = new PaperFigures(folder, run.data().path());
    switch (call.kind()) {
      case CURVE -> curve(figures, call, name);
      case AGAINST -> against(figures, call, name);
      case MAP -> map(figures, call, name, run.data());
      case ATTENTION -> attention(figures, call, name, run.data());
      case HULL -> planes(figures, call, name, run.data(), true);
      case TOKENS -> planes(figures, call, name, run.data(), false);
      case LEVELS -> levels(figures, call, name, run.data());
      case PATHS -> paths(figures, name, run);
      case LINEAGE -> lineage(figures, call, name, run.data());
      case ATLAS -> atlas(figures, name);
    }
  }

  private String title(String what) {
    return verdict.claim().title() + ": " + what;
  }

  // --- curves ---

  private void curve(PaperFigures figures, FigureCall call, String name) {
    List<Curves> curves = new ArrayList<>();
    for (RunVerdict run : verdict.runs()) {
      List<Series> series = run.data().series(call.quantity());
      RunData.Missing missing = run.data().missing(call.quantity());
      // A quantity may have no meaning in the control, which may have another V or d.
      if (missing == null || missing.replicas() < series.size()) {
        double[][] q = series.stream().map(Series::q).toArray(double[][]::new);
        curves.add(new Curves(run.name(), series.get(0).t(), q));
      }
    }
    figures.curves(
        name,
        title(call.quantity().text()),
        "time t",
        label(call),
        call.logX(),
        call.logY(),
        false,
        curves);
  }

  private void against(PaperFigures figures, FigureCall call, String name) {
    List<Curves> curves = new ArrayList<>();
    for (RunVerdict run : verdict.runs()) {
      TreeMap<Double, List<Double>> groups = new TreeMap<>();
      List<Series> series = run.data().series(call.quantity());
      for (int r = 0; r < series.size(); r++) {
        Double at = run.data().parameters().get(r).get(call.against());
        double[] q = series.get(r).q();
        if (at != null) {
          groups.computeIfAbsent(at, p -> new ArrayList<>()).add(q[q.length - 1]);
        }
      }
      int depth = groups.values().stream().mapToInt(List::size).max().orElse(0);
      double[][] q = new double[depth][groups.size()];
      double[] x = new double[groups.size()];
      int k = 0;
      for (var e : groups.entrySet()) {
        x[k] = e.getKey();
        for (int s = 0; s < depth; s++) {
          q[s][k] = s < e.getValue().size() ? e.getValue().get(s) : Double.NaN;
        }
        k++;
      }
      if (x.length > 0) {
        curves.add(new Curves(run.name(), x, q));
      }
    }
    figures.curves(
        name,
        title(call.quantity().text() + " at the end"),
        shortened(call.against()),
        label(call),
        call.logX(),
        call.logY(),
        true,
        curves);
  }

  private static String label(FigureCall call) {
    return call.quantity().measure() == Measure.OBSERVED
        ? call.quantity().word("name")
        : call.quantity().measure().label();
  }

  private static String shortened(String key) {
    return key.replaceFirst("^(model|tokens)\\.", "");
  }

  private void map(PaperFigures figures, FigureCall call, String name, RunData data) {
    List<Series> series = data.series(call.quantity());
    TreeMap<Double, double[]> sums = new TreeMap<>();
    TreeMap<Double, Integer> counts = new TreeMap<>();
    for (int r = 0; r < series.size(); r++) {
      Double at = data.parameters().get(r).get(call.against());
      double[] q = series.get(r).q();
      double[] sum = sums.computeIfAbsent(at, p -> new double[q.length]);
      for (int k = 0; k < q.length; k++) {
        sum[k] += q[k];
      }
      counts.merge(at, 1, Integer::sum);
    }
    double[] p = new double[sums.size()];
    double[][] values = new double[p.length][];
    int row = 0;
    for (var e : sums.entrySet()) {
      p[row] = e.getKey();
      values[row] = e.getValue().clone();
      for (int k = 0; k < values[row].length; k++) {
        values[row][k] /= counts.get(e.getKey());
      }
      row++;
    }
    figures.map(
        name,
        title(call.quantity().text()),
        label(call),
        data.times(),
        shortened(call.against()),
        p,
        values);
  }

  private void lineage(PaperFigures figures, FigureCall call, String name, RunData data) {
    Lineage lineage = Lineage.of(data, 0);
    figures.lineage(
        name,
        title("angles of seed 0, merging clusters red"),
        lineage.t(),
        call.logX(),
        lineage.angles(),
        lineage.merges(),
        lineage.rows());
  }

  // --- tokens ---

  private static int[] frames(FigureCall call, RunData data) {
    int last = data.times().length - 1;
    if (!call.times().isEmpty()) {
      return call.times().stream().mapToInt(data::frameAt).toArray();
    }
    int[] frames = new int[Math.min(PANELS, last + 1)];
    for (int k = 0; k < frames.length; k++) {
      frames[k] = (int) Math.round((double) k * last / Math.max(1, frames.length - 1));
    }
    return frames;
  }

  private static String time(double t) {
    return "t = " + Judgement.number(t);
  }

  private static int n(RunData data) {
    return data.resolved().shape().n();
  }

  private static int d(RunData data) {
    return data.resolved().shape().d();
  }

  private static ReplicaFacts facts(RunData data) {
    return new ReplicaFacts(data.dynamics(0), data.positions(0, 0), n(data), d(data));
  }

  private void attention(PaperFigures figures, FigureCall call, String name, RunData data) {
    ReplicaFacts facts = facts(data);
    List<double[][]> matrices = new ArrayList<>();
    List<String> titles = new ArrayList<>();
    for (int frame : frames(call, data)) {
      double t = data.times()[frame];
      matrices.add(
          new AttentionRows(facts.layer(t), 0, facts.tokens(data.positions(frame, 0))).matrix());
      titles.add(time(t));
    }
    figures.matrices(name, title("attention matrix P of seed 0"), titles, matrices);
  }

  /** The first two coordinates; tokens on a line stand at the height of their index. */
  private static double[][] plane(double[] x, int n, int d) {
    double[][] points = new double[n][];
    for (int i = 0; i < n; i++) {
      points[i] = d == 1 ? new double[] {x[i], i} : new double[] {x[i * d], x[i * d + 1]};
    }
    return points;
  }

  private void planes(
      PaperFigures figures, FigureCall call, String name, RunData data, boolean hull) {
    ReplicaFacts facts = facts(data);
    // Rows of unnormalised attention do not sum to 1: nobody leads them.
    boolean leaders = facts.dynamics().normalisation() != Normalisation.UNNORMALISED;
    List<Plane> planes = new ArrayList<>();
    for (int frame : frames(call, data)) {
      double t = data.times()[frame];
      double[] x = data.positions(frame, 0);
      double[][] points = plane(x, n(data), d(data));
      boolean[] marked = new boolean[points.length];
      if (leaders) {
        for (int leader :
            Leaders.of(new AttentionRows(facts.layer(t), 0, facts.tokens(x))).distinct()) {
          marked[leader] = true;
        }
      }
      planes.add(
          new Plane(
              time(t),
              points,
              marked,
              hull && d(data) > 1 ? outline(points) : new double[0][],
              new double[0][]));
    }
    boolean rescaled = data.resolved().experiment().model().geometry() == Geometry.RESCALED;
    String letter = rescaled ? "z" : "x";
    figures.planes(
        name,
        title(
            "tokens of seed 0"
                + (leaders ? ", leaders red" : "")
                + (!hull ? "" : d(data) > 2 ? ", hull of two coordinates" : ", convex hull")),
        letter + "\u2081",
        d(data) == 1 ? "token" : letter + "\u2082",
        planes);
  }

  /** Corners of the convex hull in the plane, in order. */
  static double[][] outline(double[][] points) {
    double[][] sorted = points.clone();
    java.util.Arrays.sort(
        sorted, (a, b) -> a[0] != b[0] ? Double.compare(a[0], b[0]) : Double.compare(a[1], b[1]));
    List<double[]> hull = new ArrayList<>();
    for (int pass = 0; pass < 2; pass++) {
      int base = hull.size();
      for (int k = 0; k < sorted.length; k++) {
        double[] p = sorted[pass == 0 ? k : sorted.length - 1 - k];
        while (hull.size() >= base + 2
            && turn(hull.get(hull.size() - 2), hull.get(hull.size() - 1), p) <= 0) {
          hull.remove(hull.size() - 1);
        }
        hull.add(p);
      }
      hull.remove(hull.size() - 1);
    }
    return hull.toArray(double[][]::new);
  }

  private static double turn(double[] a, double[] b, double[] c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }

  private void levels(PaperFigures figures, FigureCall call, String name, RunData data) {
    ReplicaFacts facts = facts(data);
    double[] phi = LevelProbes.phi(facts);
    int d = d(data);
    List<Plane> planes = new ArrayList<>();
    for (int frame : frames(call, data)) {
      double[] x = data.positions(frame, 0);
      GapGroups groups = LevelProbes.levels(facts, x, phi, HyperplaneLevels.GAP);
      boolean few = groups.clusters().count() <= 3;
      double[][] points = new double[n(data)][];
      double[][] lines = new double[few ? groups.clusters().count() : 0][];
      for (int i = 0; i < points.length; i++) {
        points[i] =
            d == 2
                ? new double[] {x[i * d], x[i * d + 1]}
                : new double[] {facts.tokens(x).dot(i, phi), x[i * d + d - 1]};
      }
      for (int k = 0; k < lines.length; k++) {
        lines[k] =
            d == 2
                ? new double[] {phi[0], phi[1], groups.centres()[k]}
                : new double[] {1, 0, groups.centres()[k]};
      }
      planes.add(
          new Plane(
              time(data.times()[frame]),
              points,
              new boolean[points.length],
              new double[0][],
              lines));
    }
    figures.planes(
        name,
        title("tokens of seed 0 and the level lines of the left eigenvector \u03c6"),
        d == 2 ? "z\u2081" : "\u03c6\u00b7z",
        d == 2 ? "z\u2082" : "z" + d,
        planes);
  }

  // --- paths ---

  private void paths(PaperFigures figures, String name, RunVerdict run) {
    RunData data = run.data();
    boolean sphere = data.resolved().experiment().model().geometry() == Geometry.SPHERE;
    if (sphere && d(data) == 3) {
      figures.spheres(name, title("paths of seed 0"), List.of(globe(run, run.name())));
      return;
    }
    double[] t = data.times();
    double[][] values = new double[n(data)][t.length];
    boolean circle = sphere && d(data) == 2;
    for (int k = 0; k < t.length; k++) {
      double[] x = data.positions(k, 0);
      for (int i = 0; i < values.length; i++) {
        values[i][k] =
            circle
                ? Probes.lifted(
                    k == 0 ? Double.NaN : values[i][k - 1], Math.atan2(x[2 * i + 1], x[2 * i]))
                : x[i * d(data)];
      }
    }
    figures.lines(
        name,
        title((circle ? "angles" : "first coordinates") + " of the tokens of seed 0"),
        circle ? "angle" : "first coordinate",
        t,
        data.resolved().experiment().save().schedule() instanceof SaveSpec.Schedule.Log,
        values);
  }

  private void atlas(PaperFigures figures, String name) {
    List<Paths> globes = new ArrayList<>();
    for (RunVerdict run : verdict.runs()) {
      if (d(run.data()) <= 3) {
        globes.add(globe(run, run.name()));
      }
    }
    figures.spheres(name, title("paths of seed 0, red where they end"), globes);
  }

  private static Paths globe(RunVerdict run, String title) {
    RunData data = run.data();
    List<double[]> frames = new ArrayList<>();
    for (int k = 0; k < data.times().length; k++) {
      frames.add(data.positions(k, 0));
    }
    return new Paths(title, frames, n(data), d(data));
  }
}
