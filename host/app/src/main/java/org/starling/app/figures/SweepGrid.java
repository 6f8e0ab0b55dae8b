package org.starling.app.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.experiment.SweepSpec;

/**
 * The replicas of a sweep by one or two of its parameters: a cell holds the replicas that differ in
 * their seeds and starts only. Of further parameters the first value counts.
 */
final class SweepGrid {
  /**
   * A parameter that is drawn.
   *
   * @param values ascending
   * @param log whether they are spaced by ratios
   */
  record Side(String label, double[] values, boolean log) {
    /** An axis whose cells, bounded half way between values, fill it. */
    Axis axis() {
      int last = values.length - 1;
      double low = values[0];
      double high = values[last];
      if (log) {
        double half = Math.pow(high / low, 0.5 / last);
        return new Axis(label, low / half, high * half, true);
      }
      double half = (high - low) / last / 2;
      return Axis.linear(label, low - half, high + half);
    }
  }

  /** Statistics of the finite values in a cell; NaN where there is none. */
  record Cell(int count, double mean, double lower, double median, double upper) {}

  private final List<Side> sides;
  private final String fixed;

  /** By cell, the second side fastest: its replicas. */
  private final int[][] replicas;

  private SweepGrid(List<Side> sides, String fixed, int[][] replicas) {
    this.sides = sides;
    this.fixed = fixed;
    this.replicas = replicas;
  }

  /** Number of parameters, the seed apart, that take more than one value. */
  static int parameters(RunFiles run) {
    return drawn(run.experiment().sweep()).size();
  }

  private static List<Integer> drawn(SweepSpec sweep) {
    List<Integer> axes = new ArrayList<>();
    for (int a = 0; sweep != null && a < sweep.axes().size(); a++) {
      SweepSpec.Axis axis = sweep.axes().get(a);
      if (!axis.isSeed() && axis.values().size() > 1) {
        axes.add(a);
      }
    }
    return axes;
  }

  /** The grid of a run that sweeps at least one parameter. */
  static SweepGrid of(RunFiles run) {
    SweepSpec sweep = run.experiment().sweep();
    List<Integer> axes = drawn(sweep);
    List<Side> sides = new ArrayList<>();
    List<int[]> ranks = new ArrayList<>();
    StringBuilder fixed = new StringBuilder();
    for (int k = 0; k < axes.size(); k++) {
      SweepSpec.Axis axis = sweep.axes().get(axes.get(k));
      if (k >= 2) {
        fixed.append(fixed.isEmpty() ? "" : ", ");
        fixed.append(label(axis.key())).append(" = ");
        fixed.append(Axis.brief(axis.values().at(0).doubleValue()));
        continue;
      }
      int[] rank = new int[axis.values().size()];
      sides.add(side(axis, rank));
      ranks.add(rank);
    }
    int inner = sides.size() == 2 ? sides.get(1).values().length : 1;
    int[] cellOf = new int[run.replicas()];
    int[] sizes = new int[sides.get(0).values().length * inner];
    int starts = run.replicas() / sweep.points();
    for (int r = 0; r < cellOf.length; r++) {
      int point = r / starts;
      cellOf[r] = ranks.get(0)[sweep.index(axes.get(0), point)];
      for (int k = 1; k < axes.size(); k++) {
        int index = sweep.index(axes.get(k), point);
        if (k == 1) {
          cellOf[r] = cellOf[r] * inner + ranks.get(1)[index];
        } else if (index != 0) {
          cellOf[r] = -1;
          break;
        }
      }
      if (cellOf[r] >= 0) {
        sizes[cellOf[r]]++;
      }
    }
    int[][] replicas = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
    for (int r = cellOf.length - 1; r >= 0; r--) {
      if (cellOf[r] >= 0) {
        replicas[cellOf[r]][--sizes[cellOf[r]]] = r;
      }
    }
    return new SweepGrid(sides, fixed.toString(), replicas);
  }

  /**
   * @param rank receives the place in ascending order of each value
   */
  private static Side side(SweepSpec.Axis axis, int[] rank) {
    SweepSpec.Values v = axis.values();
    double[] all = IntStream.range(0, v.size()).mapToDouble(k -> v.at(k).doubleValue()).toArray();
    int[] order =
        IntStream.range(0, all.length)
            .boxed()
            .sorted(Comparator.comparingDouble(k -> all[k]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] values = new double[all.length];
    for (int k = 0; k < order.length; k++) {
      values[k] = all[order[k]];
      rank[order[k]] = k;
    }
    boolean log = v instanceof SweepSpec.Values.Geometric || v instanceof SweepSpec.Values.Powers;
    return new Side(label(axis.key()), values, log);
  }

  /** A key in the words of a figure. */
  static String label(String key) {
    return key.equals("model.beta") ? "\u03b2" : key.replaceFirst("^(model|tokens)\\.", "");
  }

  List<Side> sides() {
    return sides;
  }

  /** Parameters of which only one value is drawn, in words; empty for none. */
  String fixed() {
    return fixed;
  }

  int cells() {
    return replicas.length;
  }

  /** Replicas in a cell: the same number in all. */
  int depth() {
    return replicas[0].length;
  }

  /**
   * Statistics of a cell.
   *
   * @param values of all replicas
   */
  Cell cell(int cell, double[] values) {
    double[] own = new double[replicas[cell].length];
    int count = 0;
    double sum = 0;
    for (int r : replicas[cell]) {
      if (Double.isFinite(values[r])) {
        own[count++] = values[r];
        sum += values[r];
      }
    }
    if (count == 0) {
      return new Cell(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    Arrays.sort(own, 0, count);
    return new Cell(
        count,
        sum / count,
        quantile(own, count, 0.25),
        quantile(own, count, 0.5),
        quantile(own, count, 0.75));
  }

  /** Linear interpolation between order statistics, the default of NumPy. */
  private static double quantile(double[] sorted, int count, double p) {
    double at = p * (count - 1);
    int low = (int) at;
    int high = Math.min(low + 1, count - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
  }
}
