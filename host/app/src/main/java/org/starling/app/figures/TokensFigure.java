package org.starling.app.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.app.figures.TokenView.Ground;
import org.starling.core.store.TrajectoryReader;

/** The tokens at a few times, side by side. */
final class TokensFigure implements Figure {
  private static final int PANELS = 6;

  /** More tokens than this are thinned out, in the pictures and in the data. */
  private static final int MOST_TOKENS = 4000;

  /** One panel. */
  private record Moment(double time, double[] positions, double[] places, long[] labels) {}

  @Override
  public String name() {
    return "tokens";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    TrajectoryReader reader = run.frames();
    int[] frames = FrameChoice.of(reader, options.times(), PANELS);
    int each = 1 + (run.n() - 1) / MOST_TOKENS;
    int[] tokens = IntStream.iterate(0, i -> i < run.n(), i -> i + each).toArray();
    List<double[]> positions = new ArrayList<>();
    for (int frame : frames) {
      positions.add(pick(run.positions(frame), tokens, run.d()));
    }
    TokenView view = TokenView.of(run.experiment().model().geometry(), run.d(), positions);
    ReportedArray labels = run.clusterLabels();
    List<Moment> moments = new ArrayList<>();
    long[] last = null;
    for (int k = 0; k < frames.length; k++) {
      last =
          labels == null || frames[k] >= labels.entries()
              ? null
              : Arrays.copyOf(labels.entry(frames[k]), run.n());
      moments.add(
          new Moment(reader.time(frames[k]), positions.get(k), view.place(positions.get(k)), last));
    }
    TokenColours colours =
        TokenColours.of(run.n(), last, time(moments.get(moments.size() - 1).time()));
    int columns = columns(frames.length, view, options.widthInches() * 72);
    TokenPanels panels = new TokenPanels(view, colours, tokens, columns);
    double width = options.widthInches() * 72;
    int rows = (frames.length + columns - 1) / columns;
    return new Drawing(
        title(run, each),
        rows * panels.height(width) + TokenPanels.foot(width),
        (g, w) -> panels.paint(g, w, moments.stream().map(TokensFigure::panel).toList()),
        tables(run, view, tokens, moments));
  }

  private static int columns(int panels, TokenView view, double width) {
    int columns = panels <= 4 ? panels : panels <= 6 ? 3 : 4;
    boolean plane = view.ground() == Ground.PLANE || view.ground() == Ground.LINE;
    return width < TokenPanels.NARROW ? Math.min(plane ? 2 : 3, columns) : columns;
  }

  private static TokenPanels.Content panel(Moment m) {
    return new TokenPanels.Content(time(m.time()), m.places(), m.labels());
  }

  private static String title(RunFiles run, int each) {
    return "Tokens"
        + (run.replicas() > 1 ? " of replica 0" : "")
        + (each > 1 ? ", each " + each + "th shown" : "");
  }

  static String time(double t) {
    return "t = " + Axis.brief(t);
  }

  private static double[] pick(double[] all, int[] tokens, int d) {
    double[] some = new double[tokens.length * d];
    for (int k = 0; k < tokens.length; k++) {
      System.arraycopy(all, tokens[k] * d, some, k * d, d);
    }
    return some;
  }

  private static List<DataFile> tables(
      RunFiles run, TokenView view, int[] tokens, List<Moment> moments) {
    int d = run.d();
    boolean fitted = view.variance().length > 0;
    List<String> names = new ArrayList<>(List.of("t", "token", "cluster"));
    for (int a = 0; a < (fitted ? 2 : d); a++) {
      names.add((fitted ? "axis" : "x") + (a + 1));
    }
    boolean sphere = view.ground() == Ground.SPHERE;
    if (sphere) {
      names.addAll(List.of("across", "up", "towards_reader"));
    }
    Table table = new Table(names.toArray(String[]::new));
    for (Moment m : moments) {
      for (int k = 0; k < tokens.length; k++) {
        List<Object> row = new ArrayList<>();
        row.add(m.time());
        row.add(tokens[k]);
        row.add(m.labels() == null ? null : (Object) m.labels()[tokens[k]]);
        for (int a = 0; a < (fitted ? 2 : d); a++) {
          row.add(fitted ? m.places()[3 * k + a] : m.positions()[k * d + a]);
        }
        for (int a = 0; sphere && a < 3; a++) {
          row.add(m.places()[3 * k + a]);
        }
        table.row(row.toArray());
      }
    }
    if (!fitted) {
      return List.of(table.file(""));
    }
    Table axes = new Table("coordinate", "centre", "axis1", "axis2");
    for (int b = 0; b < d; b++) {
      axes.row(b, view.centre()[b], view.rows()[0][b], view.rows()[1][b]);
    }
    Table variance = new Table("axis", "part_of_variance");
    variance.row(1, view.variance()[0]);
    variance.row(2, view.variance()[1]);
    return List.of(table.file(""), axes.file("-axes"), variance.file("-variance"));
  }
}
