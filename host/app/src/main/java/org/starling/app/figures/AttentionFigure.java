package org.starling.app.figures;

import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.EngineException;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;
import org.starling.core.store.TrajectoryReader;

/** Attention matrices at a few times. */
final class AttentionFigure implements Figure {
  /** Larger matrices are not formed. */
  static final int MOST_TOKENS = 1000;

  /** Singular values above this part of the largest count for the rank. */
  static final double RANK = 1e-6;

  /** Weights below this part of the largest have the darkest colour. */
  private static final double DARKEST = 1e-4;

  private static final int MOST_HEADS = 4;

  /** Order of tokens in the picture, and what to say of it. */
  private record Order(int[] tokens, String note) {}

  /** One matrix, {@code [n][n]}. */
  private record Matrix(double time, int head, double[][] weights, int rank) {}

  @Override
  public String name() {
    return "attention";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    TrajectoryReader reader = run.frames();
    int n = run.n();
    if (n > MOST_TOKENS) {
      throw new MissingData(
          "attention matrices are drawn for n up to " + MOST_TOKENS + ", this run has n = " + n);
    }
    if (options.attention() == null) {
      throw new MissingData("no engine is at hand to compute attention matrices");
    }
    List<Matrix> matrices = new ArrayList<>();
    int heads = Math.min(MOST_HEADS, run.experiment().model().heads());
    for (int frame : FrameChoice.of(reader, options.attentionTimes(), 2)) {
      double t = reader.time(frame);
      double[] x = run.positions(frame);
      Layer layer = layer(run, t);
      for (int h = 0; h < heads; h++) {
        matrices.add(matrix(options.attention(), x, n, run.d(), layer, h, t));
      }
    }
    double largest = 0;
    for (Matrix m : matrices) {
      for (double[] row : m.weights()) {
        for (double w : row) {
          largest = Math.max(largest, w);
        }
      }
    }
    if (!(largest > 0)) {
      throw new MissingData("all attention weights are 0");
    }
    Axis colours = new Axis("weight w\u1d62\u2c7c", darkest(matrices, largest), largest, true);
    Order order = order(run);
    boolean several = run.experiment().model().heads() > 1;
    boolean narrow = options.widthInches() * 72 < TokenPanels.NARROW;
    int columns = Math.min(narrow ? 2 : heads > 1 ? 4 : 3, heads > 1 ? heads : matrices.size());
    int rows = (matrices.size() + columns - 1) / columns;
    double side = side(options.widthInches() * 72, columns);
    return new Drawing(
        "Attention matrix"
            + (run.replicas() > 1 ? " of replica 0" : "")
            + (heads < run.experiment().model().heads() ? ", heads 0 to " + (heads - 1) : "")
            + "; rank: singular values above 10\u207b\u2076 of the largest"
            + order.note(),
        rows * (side + 26) + 24,
        (g, width) -> {
          for (int k = 0; k < matrices.size(); k++) {
            Matrix m = matrices.get(k);
            Rectangle2D box =
                new Rectangle2D.Double(
                    40 + k % columns * (side + 10), 24 + k / columns * (side + 26), side, side);
            Panel panel =
                new Panel(
                    g,
                    box,
                    Axis.linear("key j", -0.5, n - 0.5),
                    Axis.linear("query i", -0.5, n - 0.5).downwards());
            panel.image(image(m.weights(), order.tokens(), colours));
            panel.titles(
                TokensFigure.time(m.time()) + (several ? ", head " + m.head() : ""),
                "rank " + m.rank());
            panel.axes(k + columns >= matrices.size(), k % columns == 0);
          }
          Rectangle2D last =
              new Rectangle2D.Double(40 + (columns - 1) * (side + 10), 24, side, side);
          ColourBar.draw(g, last, colours);
        },
        data(matrices, n));
  }

  private static double side(double width, int columns) {
    return Math.min(215, (width - 40 - ColourBar.ROOM - (columns - 1) * 10) / columns);
  }

  /** The layer in force; at the end of the last one it is still the last. */
  private static Layer layer(RunFiles run, double t) throws MissingData {
    Dynamics dynamics = run.resolved().dynamics();
    int index = Math.min(dynamics.layerIndex(t), dynamics.weights().layers() - 1);
    return dynamics.at(t, index);
  }

  private static Matrix matrix(
      AttentionSource source, double[] x, int n, int d, Layer layer, int head, double t)
      throws MissingData {
    double[][] weights;
    try {
      weights = source.matrix(x, n, d, layer, head);
    } catch (EngineException e) {
      throw MissingData.failed(e.getMessage());
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (!Double.isFinite(weights[i][j])) {
          throw MissingData.failed(
              "the attention weight of query "
                  + i
                  + ", key "
                  + j
                  + " at t = "
                  + t
                  + " is "
                  + weights[i][j]);
        }
      }
    }
    int rank = NumericalRank.of(weights, RANK);
    if (rank < 0) {
      throw MissingData.failed(
          "the singular values of the attention matrix at t = " + t + " did not converge");
    }
    return new Matrix(t, head, weights, rank);
  }

  private static double darkest(List<Matrix> matrices, double largest) {
    double smallest = largest / 10;
    for (Matrix m : matrices) {
      for (double[] row : m.weights()) {
        for (double w : row) {
          smallest = w > 0 ? Math.min(smallest, w) : smallest;
        }
      }
    }
    return Math.max(smallest, DARKEST * largest);
  }

  /**
   * Where the mask gives the index of a token no meaning, tokens that end in one cluster stand
   * together: largest cluster first, by index within it.
   */
  private static Order order(RunFiles run) {
    int n = run.n();
    Integer[] tokens = new Integer[n];
    Arrays.setAll(tokens, i -> i);
    ReportedArray array = run.clusterLabels();
    String note = "";
    if (array != null && array.entries() > 0 && run.experiment().model().mask().equals(Mask.FULL)) {
      long[] labels = array.entry(array.entries() - 1);
      Map<Long, Integer> size = new HashMap<>();
      for (int i = 0; i < n; i++) {
        size.merge(labels[i], 1, Integer::sum);
      }
      Arrays.sort(
          tokens,
          Comparator.<Integer>comparingInt(i -> -size.get(labels[i]))
              .thenComparingLong(i -> labels[i])
              .thenComparingInt(i -> i));
      note =
          size.size() > 1 && size.size() < n
              ? "; tokens by cluster at " + TokensFigure.time(run.times()[array.entries() - 1])
              : "";
    }
    return new Order(Arrays.stream(tokens).mapToInt(i -> i).toArray(), note);
  }

  private static BufferedImage image(double[][] weights, int[] order, Axis colours) {
    int n = weights.length;
    BufferedImage image = new BufferedImage(n, n, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double w = weights[order[i]][order[j]];
        image.setRGB(j, i, w == 0 ? Palette.EMPTY.getRGB() : Palette.rgb(colours.fraction(w)));
      }
    }
    return image;
  }

  /** A table of the panels, and the matrices as one array: as text they would fill the disk. */
  private static List<DataFile> data(List<Matrix> matrices, int n) {
    Table table = new Table("panel", "t", "head", "rank", "rank_tolerance");
    double[] all = new double[matrices.size() * n * n];
    for (int k = 0; k < matrices.size(); k++) {
      Matrix m = matrices.get(k);
      table.row(k, m.time(), m.head(), m.rank(), RANK);
      for (int i = 0; i < n; i++) {
        System.arraycopy(m.weights()[i], 0, all, (k * n + i) * n, n);
      }
    }
    return List.of(
        table.file(""),
        new DataFile(".npy", Npy.encode(ElementType.FLOAT32, all, matrices.size(), n, n)));
  }
}
