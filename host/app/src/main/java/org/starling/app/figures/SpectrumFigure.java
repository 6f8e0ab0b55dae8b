package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.starling.core.model.Head;
import org.starling.core.model.Spectrum;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Eigenvalues of the value matrices in the complex plane. */
final class SpectrumFigure implements Figure {
  private static final int MOST_HEADS = 12;

  /** Larger matrices would take minutes. */
  private static final int LARGEST = 1024;

  private static final String EIGENVALUES =
      "eigenvalues of V; \u03bb\u2081 has the largest real part";

  private static final Color DOT = Palette.hue(0);
  private static final Color RUG = Palette.hue(1);
  private static final double RADIUS = 1.7;

  /** One head: eigenvalues of V, and of (V + V^T)/2 ascending. */
  private record Eigenvalues(Spectrum v, double[] symmetric) {}

  @Override
  public String name() {
    return "spectrum";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    WeightSchedule weights = run.resolved().dynamics().weights();
    List<Eigenvalues> heads = new ArrayList<>();
    for (Head head : weights.heads(0)) {
      if (heads.size() < MOST_HEADS) {
        heads.add(eigenvalues(head.v(), heads.size()));
      }
    }
    int all = run.experiment().model().heads();
    boolean narrow = options.widthInches() * 72 < TokenPanels.NARROW;
    int columns = narrow ? 1 : Math.min(heads.size(), 3);
    int rows = (heads.size() + columns - 1) / columns;
    double size = size(heads);
    double side =
        Math.min(190, (options.widthInches() * 72 - 46 - 6 - (columns - 1) * 12) / columns);
    return new Drawing(
        "Spectrum of the value matrix V"
            + (weights.constant() ? "" : ", layer 0")
            + (heads.size() < all ? ", heads 0 to " + (heads.size() - 1) : ""),
        rows * (side + 26) + 36,
        (g, width) -> {
          for (int k = 0; k < heads.size(); k++) {
            Eigenvalues e = heads.get(k);
            double left = (width - columns * side - (columns - 1) * 12 + 40) / 2;
            Rectangle2D box =
                new Rectangle2D.Double(
                    left + k % columns * (side + 12), 22 + k / columns * (side + 26), side, side);
            Axis re = Axis.around("Re \u03bb", -size, size);
            Panel panel = new Panel(g, box, re, Axis.around("Im \u03bb", -size, size));
            panel.rule(re.low(), 0, re.high(), 0, Palette.HAIR);
            panel.rule(0, re.low(), 0, re.high(), Palette.HAIR);
            g.setColor(RUG);
            g.setStroke(new BasicStroke(0.6f));
            for (double s : e.symmetric()) {
              double x = panel.px(s);
              g.draw(new Line2D.Double(x, panel.py(0) - 4, x, panel.py(0) + 4));
            }
            for (int m = 0; m < e.v().re().length; m++) {
              panel.dot(e.v().re()[m], e.v().im()[m], RADIUS, DOT);
            }
            panel.titles(headTitle(e, k, all), symmetricTitle(e));
            panel.axes(k + columns >= heads.size(), k % columns == 0);
          }
          double y = rows * (side + 26) + 30;
          Panel.mark(g, 50, y - 2.4, RADIUS, DOT);
          Panel.text(g, EIGENVALUES, Panel.TEXT, false, Palette.INK, 56, y, 0);
          g.setColor(RUG);
          g.setStroke(new BasicStroke(0.9f));
          double at = 76 + Panel.width(EIGENVALUES, Panel.TEXT);
          g.draw(new Line2D.Double(at, y - 6, at, y + 1));
          Panel.text(
              g,
              "eigenvalues of its symmetric part (V + V\u1d40)/2",
              Panel.TEXT,
              false,
              Palette.INK,
              at + 6,
              y,
              0);
        },
        List.of(table(heads).file("")));
  }

  private static Eigenvalues eigenvalues(Weight v, int head) throws MissingData {
    int d = v.rows();
    if (d > LARGEST && !(v instanceof Weight.Scalar) && !(v instanceof Weight.Diagonal)) {
      throw new MissingData(
          "spectra are drawn for d up to " + LARGEST + ", V of head " + head + " has d = " + d);
    }
    Weight part = v;
    if (v instanceof Weight.Dense) {
      double[] a = v.dense();
      double[] half = new double[d * d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          half[i * d + j] = (a[i * d + j] + a[j * d + i]) / 2;
        }
      }
      part = Weight.dense(d, d, half);
    }
    try {
      return new Eigenvalues(
          Spectrum.of(v), DoubleStream.of(Spectrum.of(part).re()).sorted().toArray());
    } catch (ArithmeticException e) {
      throw new MissingData(e.getMessage() + " (V of head " + head + ")");
    }
  }

  private static double size(List<Eigenvalues> heads) {
    double size = 0;
    for (Eigenvalues e : heads) {
      for (int k = 0; k < e.v().re().length; k++) {
        size = Math.max(size, Math.max(Math.abs(e.v().re()[k]), Math.abs(e.v().im()[k])));
        size = Math.max(size, Math.abs(e.symmetric()[k]));
      }
    }
    return size > 0 ? size : 1;
  }

  /** lambda_1, the eigenvalue with the largest real part, decides the growth. */
  private static String headTitle(Eigenvalues e, int head, int heads) {
    int first = 0;
    for (int k = 1; k < e.v().re().length; k++) {
      first = e.v().re()[k] > e.v().re()[first] ? k : first;
    }
    double im = Math.abs(e.v().im()[first]);
    return (heads > 1 ? "head " + head + ", " : "")
        + "\u03bb\u2081 = "
        + Axis.brief(e.v().re()[first])
        + (im > 0 ? " \u00b1 " + Axis.brief(im) + "i" : "");
  }

  private static String symmetricTitle(Eigenvalues e) {
    double[] s = e.symmetric();
    return "symmetric part: " + Axis.brief(s[0]) + " to " + Axis.brief(s[s.length - 1]);
  }

  private static Table table(List<Eigenvalues> heads) {
    Table table = new Table("head", "index", "re", "im", "symmetric_part");
    for (int h = 0; h < heads.size(); h++) {
      Eigenvalues e = heads.get(h);
      for (int k = 0; k < e.symmetric().length; k++) {
        table.row(h, k, e.v().re()[k], e.v().im()[k], e.symmetric()[k]);
      }
    }
    return table;
  }
}
