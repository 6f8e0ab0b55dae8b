package org.starling.app.reproduce;

import java.util.Arrays;
import org.starling.analysis.Tokens;
import org.starling.analysis.hull.HullMeasure;
import org.starling.analysis.hull.HullVertices;
import org.starling.analysis.hull.SupportFunction;
import org.starling.core.experiment.Claim.QuantityCall;

/** Quantities of the convex hull of the tokens. */
final class HullProbes {
  private static final int DIRECTIONS = 64;

  /** Tokens this near, relative to the diameter, are one vertex. */
  private static final double SAME = 1e-3;

  private HullProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    return switch (call.measure()) {
      case HULL_GROWTH -> new Growth(facts);
      case HULL_MEASURE -> {
        int k = coordinates(call, facts);
        yield (t, x) -> HullMeasure.of(first(facts.tokens(x), k));
      }
      case HULL_VERTICES -> {
        int k = coordinates(call, facts);
        double distance = call.number("distance");
        yield (t, x) -> HullVertices.of(first(facts.tokens(x), k), distance).tokens().length;
      }
      case SUPPORT_RESIDUAL -> supportResidual(facts);
      case VERTEX_DISTANCE -> {
        int k = coordinates(call, facts);
        yield (t, x) -> vertexDistance(first(facts.tokens(x), k));
      }
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  private static int coordinates(QuantityCall call, ReplicaFacts facts) {
    int k = (int) call.number("coordinates");
    int used = k == 0 ? facts.d() : k;
    if (used < 1 || used > facts.d()) {
      throw new IllegalArgumentException(
          "coordinates: 0 for all of the "
              + facts.d()
              + ", or that many of the first, not "
              + used);
    }
    return used;
  }

  static Tokens first(Tokens x, int k) {
    double[] y = new double[x.n() * k];
    for (int i = 0; i < x.n(); i++) {
      for (int c = 0; c < k; c++) {
        y[i * k + c] = x.at(i, c);
      }
    }
    return new Tokens(y, x.n(), k);
  }

  private static double vertexDistance(Tokens x) {
    double size = diameter(x);
    double[] distances = HullVertices.of(x, SAME * size).distances(x);
    return Arrays.stream(distances).max().orElseThrow() / size;
  }

  private static double diameter(Tokens x) {
    double largest = 0;
    for (int i = 0; i < x.n(); i++) {
      for (int j = 0; j < i; j++) {
        largest = Math.max(largest, x.squaredDistance(i, j));
      }
    }
    return Math.sqrt(largest);
  }

  /** Largest relative difference of x_i^T B x_i from max_j x_i^T B x_j. */
  private static Probe supportResidual(ReplicaFacts facts) {
    double[] b = AttentionProbes.merged(facts).dense();
    int d = facts.d();
    return (t, x) -> {
      double worst = 0;
      for (int i = 0; i < facts.n(); i++) {
        double[] y = new double[d];
        for (int a = 0; a < d; a++) {
          for (int c = 0; c < d; c++) {
            y[c] += x[i * d + a] * b[a * d + c];
          }
        }
        double own = dot(x, i, y);
        double largest = own;
        for (int j = 0; j < facts.n(); j++) {
          largest = Math.max(largest, dot(x, j, y));
        }
        worst = Math.max(worst, Math.abs(largest - own) / Math.abs(own));
      }
      return worst;
    };
  }

  private static double dot(double[] x, int i, double[] y) {
    double sum = 0;
    for (int c = 0; c < y.length; c++) {
      sum += x[i * y.length + c] * y[c];
    }
    return sum;
  }

  /** Growth of the support function since the last frame, in fixed directions. */
  private static final class Growth implements Probe {
    private final ReplicaFacts facts;
    private final double[][] directions;
    private double[] before;

    Growth(ReplicaFacts facts) {
      this.facts = facts;
      this.directions = SupportFunction.directions(DIRECTIONS, facts.d());
    }

    @Override
    public double at(double t, double[] x) {
      double[] support = SupportFunction.of(facts.tokens(x), directions);
      double growth = before == null ? 0 : SupportFunction.growth(before, support);
      before = support;
      return growth;
    }
  }
}
