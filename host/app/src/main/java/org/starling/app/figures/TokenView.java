package org.starling.app.figures;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.starling.core.model.Geometry;

/**
 * How tokens in R^d become points of the plane, the same way in all panels: u = A (x - c), with the
 * rows of A orthonormal.
 *
 * @param ground what the points lie on
 * @param rows A, {@code [2][d]} or {@code [3][d]}; the third row points to the reader
 * @param centre c, {@code [d]}
 * @param labels of the horizontal and the vertical axis
 * @param variance part of the variance of the shown tokens along each axis; empty unless the axes
 *     were fitted
 */
record TokenView(
    Ground ground, double[][] rows, double[] centre, String[] labels, double[] variance) {
  /** What points lie on. */
  enum Ground {
    /** The unit circle. */
    CIRCLE,
    /** The unit sphere, seen from outside. */
    SPHERE,
    /** A plane with equal axes. */
    PLANE,
    /** A line; the vertical axis is the index of the token. */
    LINE
  }

  /** Most rows of the matrix whose principal axes are computed. */
  private static final int MOST_ROWS = 6000;

  private static final int DIRECTIONS = 200;
  private static final double GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

  /** A token this far to the front is seen well; nearer to the middle of the disc is no better. */
  private static final double SEEN = 0.6;

  /**
   * @param frames shown positions, each {@code [n][d]} row-major, at least one
   */
  static TokenView of(Geometry geometry, int d, List<double[]> frames) throws MissingData {
    if (d == 1) {
      return plain(Ground.LINE, 1, "x", "token index");
    }
    if (d == 2) {
      // The emergence papers call rescaled tokens z.
      String x = geometry == Geometry.RESCALED ? "z" : "x";
      return plain(
          geometry == Geometry.SPHERE ? Ground.CIRCLE : Ground.PLANE,
          2,
          x + "\u2081",
          x + "\u2082");
    }
    if (d == 3 && geometry == Geometry.SPHERE) {
      return new TokenView(
          Ground.SPHERE,
          camera(frames.get(frames.size() - 1)),
          new double[3],
          new String[] {"", ""},
          new double[0]);
    }
    return principal(d, frames);
  }

  private static TokenView plain(Ground ground, int d, String horizontal, String vertical) {
    double[][] rows = new double[d][d];
    for (int a = 0; a < d; a++) {
      rows[a][a] = 1;
    }
    return new TokenView(
        ground, rows, new double[d], new String[] {horizontal, vertical}, new double[0]);
  }

  /**
   * Places of tokens.
   *
   * @return {@code [n][3]} flattened: horizontal, vertical, towards the reader (0 in a plane)
   */
  double[] place(double[] positions) {
    int d = centre.length;
    int n = positions.length / d;
    double[] places = new double[3 * n];
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < rows.length; a++) {
        double sum = 0;
        for (int b = 0; b < d; b++) {
          sum += rows[a][b] * (positions[i * d + b] - centre[b]);
        }
        places[3 * i + a] = sum;
      }
      if (ground == Ground.LINE) {
        places[3 * i + 1] = i;
      }
    }
    return places;
  }

  /** Of directions all around, takes the one from which most tokens of the last panel are seen. */
  private static double[][] camera(double[] last) {
    double[] best = {1, 0, 0};
    double highest = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < DIRECTIONS; k++) {
      // Not from near the poles, where the net of circles says little.
      double z = 0.8 * (2 * (k + 0.5) / DIRECTIONS - 1);
      double around = k * GOLDEN_ANGLE;
      double ring = Math.sqrt(1 - z * z);
      double[] w = {ring * Math.cos(around), ring * Math.sin(around), z};
      double score = 1e-3 * w[2];
      for (int i = 0; i < last.length; i += 3) {
        double depth = w[0] * last[i] + w[1] * last[i + 1] + w[2] * last[i + 2];
        score += 3 * Math.min(depth, SEEN) / last.length;
      }
      if (score > highest) {
        highest = score;
        best = w;
      }
    }
    double[] w = best;
    double[] up = {-w[2] * w[0], -w[2] * w[1], 1 - w[2] * w[2]};
    normalise(up);
    return new double[][] {cross(up, w), up, w};
  }

  private static double dot(double[] a, double[] b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  private static void normalise(double[] a) {
    double length = Math.sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) {
      a[k] /= length;
    }
  }

  private static double[] cross(double[] a, double[] b) {
    return new double[] {
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    };
  }

  /** The two directions of largest variance over all frames together. */
  private static TokenView principal(int d, List<double[]> frames) throws MissingData {
    int all = frames.size() * (frames.get(0).length / d);
    int each = 1 + (all - 1) / MOST_ROWS;
    DMatrixRMaj x = new DMatrixRMaj((all - 1) / each + 1, d);
    int n = frames.get(0).length / d;
    double[] centre = new double[d];
    for (int r = 0; r < x.numRows; r++) {
      double[] frame = frames.get(r * each / n);
      for (int b = 0; b < d; b++) {
        double v = frame[r * each % n * d + b];
        x.set(r, b, v);
        centre[b] += v / x.numRows;
      }
    }
    for (int r = 0; r < x.numRows; r++) {
      for (int b = 0; b < d; b++) {
        x.add(r, b, -centre[b]);
      }
    }
    DMatrixRMaj covariance = new DMatrixRMaj(d, d);
    CommonOps_DDRM.multTransA(1.0 / x.numRows, x, x, covariance);
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
    double trace = CommonOps_DDRM.trace(covariance);
    if (!Double.isFinite(trace)) {
      throw new MissingData("a frame holds positions that are not finite");
    }
    if (!eigen.decompose(covariance)) {
      throw new MissingData("the principal axes of the tokens did not converge");
    }
    int first = 0;
    for (int k = 1; k < d; k++) {
      first = value(eigen, k) > value(eigen, first) ? k : first;
    }
    int second = first == 0 ? 1 : 0;
    for (int k = 0; k < d; k++) {
      second = k != first && value(eigen, k) > value(eigen, second) ? k : second;
    }
    double[] variance = {
      trace > 0 ? value(eigen, first) / trace : 1, trace > 0 ? value(eigen, second) / trace : 0
    };
    String[] labels = new String[2];
    for (int a = 0; a < 2; a++) {
      labels[a] = "PC " + (a + 1) + " (" + Math.round(100 * variance[a]) + "% of variance)";
    }
    return new TokenView(
        Ground.PLANE,
        new double[][] {signed(eigen.getEigenVector(first)), signed(eigen.getEigenVector(second))},
        centre,
        labels,
        variance);
  }

  private static double value(EigenDecomposition_F64<DMatrixRMaj> eigen, int k) {
    return eigen.getEigenvalue(k).real;
  }

  /** An axis has no sign; its largest entry is made positive. */
  private static double[] signed(DMatrixRMaj vector) {
    double[] v = vector.data.clone();
    int largest = 0;
    for (int b = 1; b < v.length; b++) {
      largest = Math.abs(v[b]) > Math.abs(v[largest]) * (1 + 1e-9) ? b : largest;
    }
    double sign = Math.signum(v[largest]);
    for (int b = 0; b < v.length; b++) {
      v[b] *= sign;
    }
    return v;
  }
}
