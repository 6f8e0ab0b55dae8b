package org.starling.analysis.hull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.starling.analysis.Tokens;

/** Area (d = 2) or volume (d = 3) of the convex hull of tokens; length in d = 1. */
public final class HullMeasure {
  /** Heights above a face below this, relative to the size, are rounding. */
  private static final double FLAT = 1e-13;

  private HullMeasure() {}

  /**
   * The measure; 0 where all tokens lie in a line or plane.
   *
   * @throws IllegalArgumentException for d &gt; 3
   */
  public static double of(Tokens x) {
    switch (x.d()) {
      case 1:
        return Arrays.stream(x.x()).max().orElseThrow() - Arrays.stream(x.x()).min().orElseThrow();
      case 2:
        return area(x);
      case 3:
        return volume(x);
      default:
        throw new IllegalArgumentException(
            "the volume of a hull is computed for d <= 3, not d = "
                + x.d()
                + "; support functions do for larger d");
    }
  }

  /** Andrew's monotone chain, then the shoelace formula. */
  private static double area(Tokens x) {
    Integer[] order = new Integer[x.n()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (i, j) ->
            x.at(i, 0) == x.at(j, 0)
                ? Double.compare(x.at(i, 1), x.at(j, 1))
                : Double.compare(x.at(i, 0), x.at(j, 0)));
    List<Integer> ring = new ArrayList<>();
    for (int pass = 0; pass < 2; pass++) {
      int start = ring.size();
      for (int k = 0; k < order.length; k++) {
        int i = order[pass == 0 ? k : order.length - 1 - k];
        while (ring.size() >= start + 2
            && turn(x, ring.get(ring.size() - 2), ring.get(ring.size() - 1), i) <= 0) {
          ring.remove(ring.size() - 1);
        }
        ring.add(i);
      }
      ring.remove(ring.size() - 1);
    }
    double twice = 0;
    for (int k = 1; k + 1 < ring.size(); k++) {
      twice += turn(x, ring.get(0), ring.get(k), ring.get(k + 1));
    }
    return twice / 2;
  }

  private static double turn(Tokens x, int a, int b, int c) {
    return (x.at(b, 0) - x.at(a, 0)) * (x.at(c, 1) - x.at(a, 1))
        - (x.at(b, 1) - x.at(a, 1)) * (x.at(c, 0) - x.at(a, 0));
  }

  private record Edge(int from, int to) {}

  private record Face(int a, int b, int c) {}

  /** Incremental hull of triangles, then tetrahedra from a corner. */
  private static double volume(Tokens x) {
    int[] start = tetrahedron(x);
    if (start == null) {
      return 0;
    }
    List<Face> faces = new ArrayList<>();
    for (int skip = 0; skip < 4; skip++) {
      int a = start[skip == 0 ? 1 : 0];
      int b = start[skip <= 1 ? 2 : 1];
      int c = start[skip <= 2 ? 3 : 2];
      boolean outward = height(x, new Face(a, b, c), start[skip]) < 0;
      faces.add(outward ? new Face(a, b, c) : new Face(a, c, b));
    }
    double size = size(x);
    for (int i = 0; i < x.n(); i++) {
      int token = i;
      List<Face> seen =
          faces.stream().filter(f -> height(x, f, token) > FLAT * area(x, f) * size).toList();
      if (seen.isEmpty()) {
        continue;
      }
      Set<Edge> edges = new HashSet<>();
      for (Face f : seen) {
        edges.add(new Edge(f.a, f.b));
        edges.add(new Edge(f.b, f.c));
        edges.add(new Edge(f.c, f.a));
      }
      faces.removeAll(new HashSet<>(seen));
      for (Face f : seen) {
        for (Edge e : List.of(new Edge(f.a, f.b), new Edge(f.b, f.c), new Edge(f.c, f.a))) {
          if (!edges.contains(new Edge(e.to, e.from))) {
            faces.add(new Face(e.from, e.to, i));
          }
        }
      }
    }
    double six = 0;
    for (Face f : faces) {
      six -= height(x, f, start[0]);
    }
    return six / 6;
  }

  /** Four tokens far from each other, or null where all lie in a plane. */
  private static int[] tetrahedron(Tokens x) {
    double size = size(x);
    int a = 0;
    int b = 0;
    int c = 0;
    int d = 0;
    for (int i = 0; i < x.n(); i++) {
      b = x.squaredDistance(a, i) > x.squaredDistance(a, b) ? i : b;
    }
    for (int i = 0; i < x.n(); i++) {
      c = area(x, new Face(a, b, i)) > area(x, new Face(a, b, c)) ? i : c;
    }
    Face base = new Face(a, b, c);
    for (int i = 0; i < x.n(); i++) {
      d = Math.abs(height(x, base, i)) > Math.abs(height(x, base, d)) ? i : d;
    }
    boolean flat = !(Math.abs(height(x, base, d)) > FLAT * size * size * size);
    return flat ? null : new int[] {a, b, c, d};
  }

  private static double size(Tokens x) {
    double size = 0;
    for (int i = 1; i < x.n(); i++) {
      size = Math.max(size, x.distance(0, i));
    }
    return size;
  }

  private static double[] normal(Tokens x, Face f) {
    double[] u = new double[3];
    double[] v = new double[3];
    for (int k = 0; k < 3; k++) {
      u[k] = x.at(f.b, k) - x.at(f.a, k);
      v[k] = x.at(f.c, k) - x.at(f.a, k);
    }
    return new double[] {
      u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    };
  }

  private static double area(Tokens x, Face f) {
    double[] m = normal(x, f);
    return Math.sqrt(NearestPoint.dot(m, m));
  }

  /** Six times the signed volume of the tetrahedron on a face, positive outside. */
  private static double height(Tokens x, Face f, int i) {
    double[] m = normal(x, f);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += m[k] * (x.at(i, k) - x.at(f.a, k));
    }
    return sum;
  }
}
