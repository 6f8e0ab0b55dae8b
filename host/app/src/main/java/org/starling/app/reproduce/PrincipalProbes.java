package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.spectrum.LeftCoordinates;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.analysis.theory.FirstToken;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.model.Weight;

/** Quantities of the spaces of V that belong to its largest real part. */
final class PrincipalProbes {
  private PrincipalProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    return switch (call.measure()) {
      case DISTANCE_TO_JORDAN ->
          distance(
              facts, ValueSpectrum.of(facts.value()).principalSpace(), (int) call.number("token"));
      case DISTANCE_TO_PRINCIPAL -> distance(facts, principal(facts), (int) call.number("token"));
      case DISTANCE_TO_PROJECTED_FIRST -> projectedFirst(facts);
      case FIRST_TOKEN_ERROR -> firstTokenError(facts);
      case FRAME_DEFECT -> frameDefect(facts, (int) call.number("tokens"));
      case LEADING_ANGLE -> new LeadingAngle(facts, (int) call.number("token"));
      case OPPOSITE_DEFECT -> oppositeDefect(facts);
      case POLES -> poles(facts);
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  /** Orthonormal rows that span L'(V). */
  static double[][] principal(ReplicaFacts facts) {
    return ValueSpectrum.of(facts.value()).leadingBasis();
  }

  /** Projection of token i on the rows. */
  private static double[] projection(double[][] rows, double[] x, int i) {
    int d = rows[0].length;
    double[] p = new double[d];
    for (double[] row : rows) {
      double along = 0;
      for (int c = 0; c < d; c++) {
        along += row[c] * x[i * d + c];
      }
      for (int c = 0; c < d; c++) {
        p[c] += along * row[c];
      }
    }
    return p;
  }

  private static double[] normalised(double[] p) {
    double square = 0;
    for (double v : p) {
      square += v * v;
    }
    double[] unit = p.clone();
    for (int c = 0; c < unit.length; c++) {
      unit[c] /= Math.sqrt(square);
    }
    return unit;
  }

  private static Probe distance(ReplicaFacts facts, double[][] rows, int token) {
    return (t, x) -> {
      double worst = 0;
      for (int i = Math.max(token, 0); i < (token < 0 ? facts.n() : token + 1); i++) {
        double[] unit = normalised(projection(rows, x, i));
        worst = Math.max(worst, Probes.distance(x, i, unit, 0, facts.d()));
      }
      return worst;
    };
  }

  private static Probe projectedFirst(ReplicaFacts facts) {
    double[] limit = normalised(projection(principal(facts), facts.start(), 0));
    return (t, x) -> {
      double worst = 0;
      for (int i = 0; i < facts.n(); i++) {
        worst = Math.max(worst, Probes.distance(x, i, limit, 0, facts.d()));
      }
      return worst;
    };
  }

  private static Probe firstTokenError(ReplicaFacts facts) {
    Weight v = facts.value();
    double[] start = facts.tokens(facts.start()).row(0);
    return (t, x) -> Probes.distance(x, 0, FirstToken.position(v, start, t), 0, facts.d());
  }

  private static Probe frameDefect(ReplicaFacts facts, int tokens) {
    if (tokens > facts.n() || tokens < 2) {
      throw new IllegalArgumentException("a frame of " + tokens + " tokens of " + facts.n());
    }
    return (t, x) -> {
      double worst = 0;
      for (int i = 0; i < tokens; i++) {
        for (int j = 0; j < i; j++) {
          double wanted = i % 2 == 1 && j == i - 1 ? -1 : 0;
          worst = Math.max(worst, Math.abs(facts.tokens(x).dot(i, j) - wanted));
        }
      }
      return worst;
    };
  }

  private static double[] leading(ReplicaFacts facts) {
    ValueSpectrum spectrum = ValueSpectrum.of(facts.value());
    return spectrum.rightEigenvector(spectrum.values().get(0));
  }

  private static Probe oppositeDefect(ReplicaFacts facts) {
    double[] xi = leading(facts);
    return (t, x) -> {
      double worst = 0;
      for (int i = 0; i < facts.n(); i++) {
        worst = Math.max(worst, Math.abs(Math.abs(facts.tokens(x).dot(i, xi)) - 1));
      }
      return worst;
    };
  }

  private static Probe poles(ReplicaFacts facts) {
    double[] xi = leading(facts);
    return (t, x) -> {
      boolean plus = false;
      boolean minus = false;
      for (int i = 0; i < facts.n(); i++) {
        double side = facts.tokens(x).dot(i, xi);
        plus |= side > 0;
        minus |= side < 0;
      }
      return (plus ? 1 : 0) + (minus ? 1 : 0);
    };
  }

  /** Angle of a token in the plane of the leading complex pair. */
  private static final class LeadingAngle implements Probe {
    private final int token;
    private final LeftCoordinates plane;
    private double last = Double.NaN;

    LeadingAngle(ReplicaFacts facts, int token) {
      this.token = token;
      List<LeftCoordinates> pairs = new ArrayList<>(LeftCoordinates.of(facts.value()));
      pairs.removeIf(m -> m.eigenvalue().real());
      this.plane = pairs.isEmpty() ? null : pairs.get(0);
    }

    @Override
    public double at(double t, double[] x) {
      if (plane == null) {
        // Nothing turns under a real spectrum.
        return 0;
      }
      double[] u = plane.of(x, token);
      // The rows turn by -b (LeftCoordinates): counted so that a positive b is a positive speed.
      last = Probes.lifted(last, Math.atan2(-u[1], u[0]));
      return last;
    }
  }
}
