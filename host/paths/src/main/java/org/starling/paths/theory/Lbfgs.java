package org.starling.paths.theory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The quasi-Newton method of limited memory with a line search that brackets the weak Wolfe
 * conditions by bisection (Nocedal and Wright, Numerical Optimization, algorithm 7.5; Lewis and
 * Overton, Math. Program. 141 (2013), algorithm 2.6). Where the value is exhausted by rounding the
 * slope alone decides.
 */
final class Lbfgs {
  private static final int MEMORY = 24;
  private static final double DECREASE = 1e-4;
  private static final double SLOPE = 0.7;
  private static final int LINE_STEPS = 60;

  /** Differences of values below this share of the value are rounding. */
  private static final double ROUNDING = 1e-13;

  private Lbfgs() {}

  /** A function with its derivative. */
  interface Objective {
    /** The value, infinite outside the domain; fills the gradient where it is finite. */
    double at(double[] x, double[] gradient);
  }

  /**
   * @param x where it ended
   * @param value there
   * @param gradient largest component of the gradient there
   * @param converged whether that is small enough
   */
  record Result(
      double[] x,
      double value,
      double gradient,
      int iterations,
      int evaluations,
      boolean converged) {}

  private record Pair(double[] s, double[] y, double rho) {}

  /**
   * @param tolerance of the largest component of the gradient
   */
  static Result minimise(Objective f, double[] start, double tolerance, int iterations) {
    int n = start.length;
    double[] x = start.clone();
    double[] g = new double[n];
    double value = f.at(x, g);
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("the start is outside the domain");
    }
    Deque<Pair> memory = new ArrayDeque<>();
    int evaluations = 1;
    int k = 0;
    for (; k < iterations && largest(g) > tolerance; k++) {
      double[] d = direction(memory, g);
      double slope = dot(d, g);
      if (!(slope < 0)) {
        memory.clear();
        d = direction(memory, g);
        slope = dot(d, g);
      }
      double low = 0;
      double high = Double.POSITIVE_INFINITY;
      double step = memory.isEmpty() ? Math.min(1, 0.5 / largest(g)) : 1;
      double[] next = new double[n];
      double[] gradient = new double[n];
      double found = Double.NaN;
      boolean accepted = false;
      for (int trial = 0; trial < LINE_STEPS && !accepted; trial++) {
        for (int i = 0; i < n; i++) {
          next[i] = x[i] + step * d[i];
        }
        found = f.at(next, gradient);
        evaluations++;
        double end = dot(d, gradient);
        boolean flat = Math.abs(found - value) <= ROUNDING * Math.abs(value);
        boolean fell =
            found <= value + DECREASE * step * slope || flat && end <= (2 * DECREASE - 1) * slope;
        if (!(Double.isFinite(found) && fell)) {
          high = step;
        } else if (end < SLOPE * slope) {
          low = step;
        } else {
          accepted = true;
          break;
        }
        step = Double.isInfinite(high) ? 2 * low : (low + high) / 2;
      }
      if (!accepted) {
        if (memory.isEmpty()) {
          break;
        }
        // The curvature on record misled; once more along the gradient.
        memory.clear();
        continue;
      }
      double[] s = new double[n];
      double[] y = new double[n];
      for (int i = 0; i < n; i++) {
        s[i] = next[i] - x[i];
        y[i] = gradient[i] - g[i];
      }
      double sy = dot(s, y);
      if (sy > 0) {
        if (memory.size() == MEMORY) {
          memory.removeFirst();
        }
        memory.addLast(new Pair(s, y, 1 / sy));
      }
      x = next;
      g = gradient;
      value = found;
    }
    return new Result(x, value, largest(g), k, evaluations, largest(g) <= tolerance);
  }

  private static double[] direction(Deque<Pair> memory, double[] g) {
    double[] d = g.clone();
    double[] alpha = new double[memory.size()];
    Iterator<Pair> newest = memory.descendingIterator();
    for (int k = alpha.length - 1; k >= 0; k--) {
      Pair p = newest.next();
      alpha[k] = p.rho() * dot(p.s(), d);
      add(d, -alpha[k], p.y());
    }
    if (!memory.isEmpty()) {
      Pair last = memory.getLast();
      double scale = 1 / (last.rho() * dot(last.y(), last.y()));
      for (int i = 0; i < d.length; i++) {
        d[i] *= scale;
      }
    }
    int k = 0;
    for (Pair p : memory) {
      add(d, alpha[k++] - p.rho() * dot(p.y(), d), p.s());
    }
    for (int i = 0; i < d.length; i++) {
      d[i] = -d[i];
    }
    return d;
  }

  private static void add(double[] x, double factor, double[] y) {
    for (int i = 0; i < x.length; i++) {
      x[i] += factor * y[i];
    }
  }

  static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  static double largest(double[] g) {
    double largest = 0;
    for (double v : g) {
      largest = Math.max(largest, Math.abs(v));
    }
    return largest;
  }
}
