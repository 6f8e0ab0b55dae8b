package org.starling.analysis.attention;

import java.util.TreeSet;
import org.starling.core.model.Normalisation;

/**
 * Whom each token follows, and how far its attention row is from a basis vector.
 *
 * @param leader {@code [n]}: argmax_j P_ij, exact ties to the lowest index; -1 for a row without a
 *     live key
 * @param residual {@code [n]}: 1 - max_j P_ij in [0, 1), summed from the other weights so that tiny
 *     ones keep their digits; NaN for a row without a live key
 * @param margin {@code [n]}: largest less second largest score, infinite where there is one key
 */
public record Leaders(int[] leader, double[] residual, double[] margin) {

  /**
   * @throws IllegalArgumentException for unnormalised weights, whose rows do not sum to 1
   */
  public static Leaders of(AttentionRows rows) {
    if (rows.normalisation() == Normalisation.UNNORMALISED) {
      throw new IllegalArgumentException(
          "rows of unnormalised attention do not sum to 1: 1 - max P says nothing about them");
    }
    int n = rows.n();
    int[] leader = new int[n];
    double[] residual = new double[n];
    double[] margin = new double[n];
    for (int i = 0; i < n; i++) {
      double[] s = rows.scores(i);
      int top = AttentionRows.largest(s);
      leader[i] = top;
      residual[i] = top < 0 ? Double.NaN : residual(s, top, rows);
      margin[i] = top < 0 ? Double.NaN : margin(s, top);
    }
    return new Leaders(leader, residual, margin);
  }

  private static double residual(double[] s, int top, AttentionRows rows) {
    if (rows.normalisation() == Normalisation.HARDMAX) {
      return 0;
    }
    double others = Math.exp(rows.sinkScore() - s[top]);
    for (int j = 0; j < s.length; j++) {
      others += j == top ? 0 : Math.exp(s[j] - s[top]);
    }
    return others / (1 + others);
  }

  private static double margin(double[] s, int top) {
    double second = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < s.length; j++) {
      second = j == top ? second : Math.max(second, s[j]);
    }
    return s[top] - second;
  }

  /** The tokens that lead at least one row, ascending. */
  public int[] distinct() {
    TreeSet<Integer> set = new TreeSet<>();
    for (int l : leader) {
      if (l >= 0) {
        set.add(l);
      }
    }
    return set.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Leaders that lead themselves: the hypothesis of the terminal law (emergence.md 1.5). */
  public boolean leadersLeadThemselves() {
    for (int l : distinct()) {
      if (leader[l] != l) {
        return false;
      }
    }
    return true;
  }

  /** Largest residual of all rows. */
  public double largestResidual() {
    double worst = 0;
    for (double r : residual) {
      worst = Math.max(worst, r);
    }
    return worst;
  }

  /** Number of rows whose residual is larger than a tolerance. */
  public int rowsAbove(double tolerance) {
    int count = 0;
    for (double r : residual) {
      count += r <= tolerance ? 0 : 1;
    }
    return count;
  }
}
