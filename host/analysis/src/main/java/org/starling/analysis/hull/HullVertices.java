package org.starling.analysis.hull;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.Tokens;

/**
 * Vertices of the convex hull of tokens in any dimension, up to a tolerance.
 *
 * @param tokens indices of the vertices, ascending
 * @param corners their positions, {@code [count][d]}
 * @param tolerance every token lies within this distance of the hull of the vertices
 */
public record HullVertices(int[] tokens, double[][] corners, double tolerance) {
  /** Values of a linear function closer than this, relative to the size, are a tie. */
  private static final double TIE = 1e-13;

  /**
   * Clarkson's output-sensitive scheme (More output-sensitive geometric algorithms, FOCS 1994): a
   * token further than the tolerance from the hull of the vertices known so far shows a direction
   * in which a new vertex lies. A cluster of tokens closer together than the tolerance gives one
   * vertex. About n (count) d operations times the size of a simplex.
   *
   * @param tolerance a distance, &gt;= 0; at 0 rounding decides on which side of a face a token
   *     lies
   */
  public static HullVertices of(Tokens x, double tolerance) {
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("a tolerance must be a distance >= 0, not " + tolerance);
    }
    double[] centre = centre(x);
    List<Integer> vertices = new ArrayList<>();
    double[] first = new double[x.d()];
    first[0] = 1;
    vertices.add(support(x, first, centre));
    double[][] corners = {x.row(vertices.get(0))};
    for (int i = 0; i < x.n(); i++) {
      double[] y = x.row(i);
      while (!vertices.contains(i)) {
        NearestPoint near = NearestPoint.of(corners, y);
        if (near.lower() <= tolerance) {
          break;
        }
        double[] out = new double[y.length];
        for (int c = 0; c < out.length; c++) {
          out[c] = y[c] - near.point()[c];
        }
        int vertex = support(x, out, centre);
        if (vertices.contains(vertex)) {
          break;
        }
        vertices.add(vertex);
        corners = vertices.stream().map(x::row).toArray(double[][]::new);
      }
    }
    int[] sorted = vertices.stream().mapToInt(Integer::intValue).sorted().toArray();
    double[][] positions = new double[sorted.length][];
    for (int k = 0; k < sorted.length; k++) {
      positions[k] = x.row(sorted[k]);
    }
    return new HullVertices(sorted, positions, tolerance);
  }

  /**
   * Distance of each token to the nearest vertex, {@code [n]}: whether tokens have arrived (Theorem
   * 3.1 of the emergence paper).
   */
  public double[] distances(Tokens z) {
    double[] distances = new double[z.n()];
    for (int i = 0; i < z.n(); i++) {
      double best = Double.POSITIVE_INFINITY;
      for (double[] corner : corners) {
        double sum = 0;
        for (int c = 0; c < corner.length; c++) {
          double difference = z.at(i, c) - corner[c];
          sum += difference * difference;
        }
        best = Math.min(best, sum);
      }
      distances[i] = Math.sqrt(best);
    }
    return distances;
  }

  private static double[] centre(Tokens x) {
    double[] centre = new double[x.d()];
    for (int i = 0; i < x.n(); i++) {
      for (int c = 0; c < x.d(); c++) {
        centre[c] += x.at(i, c) / x.n();
      }
    }
    return centre;
  }

  /**
   * The token furthest along a direction. Of several on one face the lexicographically largest,
   * which is a corner of the face.
   */
  private static int support(Tokens x, double[] direction, double[] centre) {
    double length = Math.sqrt(NearestPoint.dot(direction, direction));
    double[] value = new double[x.n()];
    double top = Double.NEGATIVE_INFINITY;
    double size = 0;
    for (int i = 0; i < x.n(); i++) {
      double square = 0;
      for (int c = 0; c < x.d(); c++) {
        double v = x.at(i, c) - centre[c];
        value[i] += v * direction[c];
        square += v * v;
      }
      top = Math.max(top, value[i]);
      size = Math.max(size, square);
    }
    double tie = TIE * length * Math.sqrt(size);
    int best = -1;
    for (int i = 0; i < x.n(); i++) {
      if (value[i] >= top - tie && (best < 0 || after(x, i, best))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean after(Tokens x, int i, int j) {
    for (int c = 0; c < x.d(); c++) {
      if (x.at(i, c) != x.at(j, c)) {
        return x.at(i, c) > x.at(j, c);
      }
    }
    return false;
  }
}
