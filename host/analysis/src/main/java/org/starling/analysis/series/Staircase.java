package org.starling.analysis.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Plateaus of a series and the jumps between them (the energy staircase of metastable clusters,
 * emergence.md 1.12).
 *
 * @param plateaus in order of time
 * @param jumps between consecutive plateaus: one fewer than plateaus, or none
 */
public record Staircase(List<Plateau> plateaus, List<Jump> jumps) {

  /**
   * @param from time of its first point
   * @param to time of its last point
   * @param value median of its points
   */
  public record Plateau(double from, double to, double value) {
    public double duration() {
      return to - from;
    }
  }

  /**
   * @param time at which the series first crosses the middle between the two plateaus, by linear
   *     interpolation
   * @param height of the later plateau less the earlier one
   * @param width from the first crossing of 10 % of the height to the first crossing of 90 %
   */
  public record Jump(double time, double height, double width) {}

  /**
   * Scans from the left: a plateau is the longest stretch from its first point in which the series
   * stays within a band, if it lasts long enough.
   *
   * @param t times {@code [m]}, strictly ascending
   * @param y values {@code [m]}, finite
   * @param band largest less smallest value allowed on a plateau, &gt;= 0
   * @param duration shortest plateau, &gt; 0, in units of t
   */
  public static Staircase of(double[] t, double[] y, double band, double duration) {
    if (t.length != y.length || t.length == 0 || !(band >= 0) || !(duration > 0)) {
      throw new IllegalArgumentException(
          "no staircase from "
              + t.length
              + " times and "
              + y.length
              + " values with a band of "
              + band
              + " and plateaus of "
              + duration);
    }
    for (int i = 0; i < t.length; i++) {
      if (!Double.isFinite(y[i]) || (i > 0 && !(t[i] > t[i - 1]))) {
        throw new IllegalArgumentException(
            "point " + i + " (t = " + t[i] + ", value " + y[i] + ") is out of order or not finite");
      }
    }
    List<Plateau> plateaus = new ArrayList<>();
    List<int[]> spans = new ArrayList<>();
    int i = 0;
    while (i < t.length) {
      double low = y[i];
      double high = y[i];
      int end = i;
      while (end + 1 < t.length && Math.max(high, y[end + 1]) - Math.min(low, y[end + 1]) <= band) {
        end++;
        low = Math.min(low, y[end]);
        high = Math.max(high, y[end]);
      }
      if (t[end] - t[i] >= duration) {
        double[] inside = Arrays.copyOfRange(y, i, end + 1);
        Arrays.sort(inside);
        plateaus.add(new Plateau(t[i], t[end], inside[inside.length / 2]));
        spans.add(new int[] {i, end});
        i = end + 1;
      } else {
        i++;
      }
    }
    List<Jump> jumps = new ArrayList<>();
    for (int k = 1; k < plateaus.size(); k++) {
      double from = plateaus.get(k - 1).value();
      double height = plateaus.get(k).value() - from;
      int first = spans.get(k - 1)[0];
      double start = crossing(t, y, first, from + 0.1 * height, height);
      double middle = crossing(t, y, first, from + 0.5 * height, height);
      double end = crossing(t, y, first, from + 0.9 * height, height);
      jumps.add(new Jump(middle, height, end - start));
    }
    return new Staircase(List.copyOf(plateaus), List.copyOf(jumps));
  }

  /** First time from a point on at which the series reaches a level in the jump's direction. */
  private static double crossing(double[] t, double[] y, int from, double level, double height) {
    for (int i = Math.max(1, from); i < t.length; i++) {
      boolean reached = height >= 0 ? y[i] >= level : y[i] <= level;
      boolean before = height >= 0 ? y[i - 1] < level : y[i - 1] > level;
      if (reached && before) {
        return t[i - 1] + (t[i] - t[i - 1]) * (level - y[i - 1]) / (y[i] - y[i - 1]);
      }
    }
    return Double.NaN;
  }
}
