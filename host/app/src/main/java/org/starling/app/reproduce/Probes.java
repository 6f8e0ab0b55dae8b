package org.starling.app.reproduce;

import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.Link;
import org.starling.analysis.cluster.SingleLinkage;
import org.starling.analysis.theory.KineticRetrieval;
import org.starling.core.experiment.Claim.QuantityCall;

/** Makes the probe of a quantity; those of tokens alone are here. */
final class Probes {
  private Probes() {}

  /**
   * @throws IllegalArgumentException if the quantity has no meaning for the replica
   */
  static Probe of(QuantityCall call, ReplicaFacts facts) {
    return switch (call.measure()) {
      case ANGLE -> angle(facts, (int) call.number("of"), (int) call.number("from"));
      case AXIS_DEFECT -> (t, x) -> axisDefect(facts, x);
      case CLUSTERS -> clusters(facts, call.number("distance"), call.word("unit"));
      case COORDINATE_DEVIATION -> coordinateDeviation(facts, (int) call.number("coordinate"));
      case COSINE_GAP -> (t, x) -> cosineGap(facts.tokens(x));
      case DISPLACEMENT -> displacement(facts, (int) call.number("token"));
      case DISTANCE_TO_FIRST -> (t, x) -> farthest(facts, x, x);
      case DISTANCE_TO_FIRST_START -> (t, x) -> farthest(facts, x, facts.start());
      case MOMENT_LAW -> MomentLaw.of(facts, call.word("which"));
      case RETRIEVAL_MINIMUM -> {
        KineticRetrieval kinetic =
            new KineticRetrieval(
                facts.beta(),
                call.number("lambda"),
                call.number("window"),
                (int) call.number("modes"));
        yield (t, x) -> t == 0 ? Double.NaN : kinetic.worstPosition(t);
      }
      case PAIR_FRACTION -> pairFraction(facts, call.number("cosine"));
      case SMALLEST_DISTANCE -> (t, x) -> extremeDistance(facts.tokens(x), false);
      case SPREAD -> (t, x) -> extremeDistance(facts.tokens(x), true);
      case EQUIANGULAR_ERROR -> new EquiangularError(facts, false);
      case RADIUS_ERROR -> new EquiangularError(facts, true);
      case TWO_CLUSTER_ERROR ->
          new TwoClusterError(
              facts, (int) call.number("of"), (int) call.number("from"), call.number("start"));
      case ATTENTION_RANK,
          EXTREME_RESIDUAL,
          LEADER_MOTION,
          LEADERS,
          SELECTOR_RESIDUAL,
          SELF_LEADERS,
          UNIFORMITY ->
          AttentionProbes.of(call, facts);
      case CENTRE_DISPLACEMENT, COVERAGE, FROZEN_DISTANCE, QUASI_STATIONARITY, RENYI_CENTRES ->
          CentreProbes.of(call, facts);
      case HULL_GROWTH, HULL_MEASURE, HULL_VERTICES, SUPPORT_RESIDUAL, VERTEX_DISTANCE ->
          HullProbes.of(call, facts);
      case HYPERPLANES, LEVEL_DEVIATION, LEVEL_SPREAD, LEVEL_TURN, LEVEL_WIDTH, UNSTABLE_GROUPS ->
          LevelProbes.of(call, facts);
      case DISTANCE_TO_JORDAN,
          DISTANCE_TO_PRINCIPAL,
          DISTANCE_TO_PROJECTED_FIRST,
          FIRST_TOKEN_ERROR,
          FRAME_DEFECT,
          LEADING_ANGLE,
          OPPOSITE_DEFECT,
          POLES ->
          PrincipalProbes.of(call, facts);
      case LEADING_EIGENVALUE, LEADING_SCORE, SLOWEST_GROWTH, SPECTRAL_GAP ->
          WeightProbes.of(call, facts);
      case ATTENDED_COSINE,
          CIRCLE_CLUSTERS,
          MODE_AMPLITUDE,
          MODE_GROWTH,
          POLE_GROWTH,
          SEPARATRIX_ERROR ->
          TheoryProbes.of(call, facts);
      case EVENT_TIME, OBSERVED -> throw new IllegalArgumentException("observed by the run itself");
    };
  }

  private static double axisDefect(ReplicaFacts facts, double[] x) {
    double largest = 0;
    for (int i = 0; i < facts.n(); i++) {
      double nearest = 0;
      for (int c = 0; c < facts.d(); c++) {
        nearest = Math.max(nearest, Math.abs(x[i * facts.d() + c]));
      }
      largest = Math.max(largest, 1 - nearest);
    }
    return largest;
  }

  private static Probe clusters(ReplicaFacts facts, double distance, String unit) {
    if (!unit.equals("one") && !unit.equals("width")) {
      throw new IllegalArgumentException("unit: must be one or width, not " + unit);
    }
    Link link = Link.distance(unit.equals("one") ? distance : facts.radius(distance));
    return (t, x) -> SingleLinkage.of(facts.tokens(x), link).count();
  }

  private static Probe coordinateDeviation(ReplicaFacts facts, int coordinate) {
    return (t, x) -> {
      double[] values = new double[facts.n()];
      for (int i = 0; i < values.length; i++) {
        values[i] = x[i * facts.d() + coordinate];
      }
      return deviation(values);
    };
  }

  static double deviation(double[] values) {
    double mean = 0;
    for (double v : values) {
      mean += v / values.length;
    }
    double square = 0;
    for (double v : values) {
      square += (v - mean) * (v - mean) / values.length;
    }
    return Math.sqrt(square);
  }

  private static Probe displacement(ReplicaFacts facts, int token) {
    return (t, x) -> distance(x, token, facts.start(), token, facts.d());
  }

  static double distance(double[] x, int i, double[] y, int j, int d) {
    double square = 0;
    for (int c = 0; c < d; c++) {
      double one = x[i * d + c] - y[j * d + c];
      square += one * one;
    }
    return Math.sqrt(square);
  }

  /** Largest distance of a token from token 0 of y. */
  private static double farthest(ReplicaFacts facts, double[] x, double[] y) {
    double largest = 0;
    for (int i = 0; i < facts.n(); i++) {
      largest = Math.max(largest, distance(x, i, y, 0, facts.d()));
    }
    return largest;
  }

  private static Probe pairFraction(ReplicaFacts facts, double cosine) {
    return (t, x) -> {
      Tokens tokens = facts.tokens(x);
      long near = 0;
      for (int i = 0; i < facts.n(); i++) {
        for (int j = 0; j < i; j++) {
          near += tokens.dot(i, j) > cosine * tokens.norm(i) * tokens.norm(j) ? 1 : 0;
        }
      }
      return 2.0 * near / ((double) facts.n() * (facts.n() - 1));
    };
  }

  /** 1 - cosine as half a squared distance of directions, which keeps the digits of a small one. */
  private static double cosineGap(Tokens x) {
    double largest = 0;
    for (int i = 0; i < x.n(); i++) {
      double own = x.norm(i);
      for (int j = 0; j < i; j++) {
        double other = x.norm(j);
        double square = 0;
        for (int c = 0; c < x.d(); c++) {
          double one = x.at(i, c) / own - x.at(j, c) / other;
          square += one * one;
        }
        largest = Math.max(largest, square / 2);
      }
    }
    return largest;
  }

  private static double extremeDistance(Tokens x, boolean largest) {
    double extreme = Double.NaN;
    for (int i = 0; i < x.n(); i++) {
      for (int j = 0; j < i; j++) {
        double one = x.distance(i, j);
        extreme =
            Double.isNaN(extreme) ? one : largest ? Math.max(extreme, one) : Math.min(extreme, one);
      }
    }
    return extreme;
  }

  /** An angle that does not jump: the change since the last frame is at most half a turn. */
  static double lifted(double before, double angle) {
    double turn = 2 * Math.PI;
    return Double.isNaN(before) ? angle : angle - turn * Math.rint((angle - before) / turn);
  }

  static Probe angle(ReplicaFacts facts, int of, int from) {
    return new Angle(facts, of, from);
  }

  /** Angle of a token seen from another on the circle. */
  private static final class Angle implements Probe {
    private final int of;
    private final int from;
    private double last = Double.NaN;

    Angle(ReplicaFacts facts, int of, int from) {
      if (facts.d() != 2) {
        throw new IllegalArgumentException("an angle is measured for d = 2, not " + facts.d());
      }
      this.of = of;
      this.from = from;
    }

    @Override
    public double at(double t, double[] x) {
      double sine = x[2 * from] * x[2 * of + 1] - x[2 * from + 1] * x[2 * of];
      double cosine = x[2 * from] * x[2 * of] + x[2 * from + 1] * x[2 * of + 1];
      double angle = Math.atan2(sine, cosine);
      last = Double.isNaN(last) ? angle < 0 ? angle + 2 * Math.PI : angle : lifted(last, angle);
      return last;
    }
  }
}
