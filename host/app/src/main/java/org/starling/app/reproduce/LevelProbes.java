package org.starling.app.reproduce;

import java.util.Arrays;
import java.util.List;
import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.GapGroups;
import org.starling.analysis.cluster.Link;
import org.starling.analysis.cluster.SingleLinkage;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.HyperplaneLevels;
import org.starling.analysis.spectrum.LeftCoordinates;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.core.experiment.Claim.QuantityCall;

/** Quantities of the levels phi.z, phi the left eigenvector of the leading eigenvalue of V. */
final class LevelProbes {
  /** Three hyperplanes at most are claimed; a pair of tokens is chosen when no more are left. */
  private static final int FEW = 3;

  private LevelProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    if (call.measure() == org.starling.core.experiment.Measure.UNSTABLE_GROUPS) {
      return unstableGroups(facts, call.number("distance"));
    }
    double[] phi = phi(facts);
    double gap = call.parameters().containsKey("gap") ? call.number("gap") : HyperplaneLevels.GAP;
    return switch (call.measure()) {
      case HYPERPLANES -> (t, x) -> levels(facts, x, phi, gap).clusters().count();
      case LEVEL_SPREAD ->
          (t, x) -> Arrays.stream(levels(facts, x, phi, gap).spreads()).max().orElse(Double.NaN);
      case LEVEL_WIDTH -> (t, x) -> levels(facts, x, phi, gap).range();
      case LEVEL_DEVIATION -> {
        LeftCoordinates mode = mode(call, facts);
        yield (t, x) -> levelDeviation(levels(facts, x, phi, gap), mode, x);
      }
      case LEVEL_TURN -> new Turn(facts, phi, gap, mode(call, facts));
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  /** The left eigenvector of the eigenvalue with the largest real part. */
  static double[] phi(ReplicaFacts facts) {
    ValueSpectrum spectrum = ValueSpectrum.of(facts.value());
    List<Eigenvalue> real = spectrum.values().stream().filter(Eigenvalue::simpleReal).toList();
    if (real.isEmpty()) {
      throw new IllegalArgumentException(
          "V has no simple real eigenvalue, so that there are no level planes: "
              + spectrum.values());
    }
    return spectrum.leftEigenvector(real.get(0));
  }

  static GapGroups levels(ReplicaFacts facts, double[] x, double[] phi, double gap) {
    return HyperplaneLevels.of(facts.tokens(x), phi, gap);
  }

  private static LeftCoordinates mode(QuantityCall call, ReplicaFacts facts) {
    List<LeftCoordinates> all = LeftCoordinates.of(facts.value());
    int k = (int) call.number("mode");
    if (k < 0 || k >= all.size()) {
      throw new IllegalArgumentException(
          "mode " + k + ": V has the eigenvalues 0 to " + (all.size() - 1));
    }
    return all.get(k);
  }

  private static double levelDeviation(GapGroups levels, LeftCoordinates mode, double[] x) {
    double worst = 0;
    for (int[] members : levels.clusters().members()) {
      double square = 0;
      for (int a = 0; a < mode.rows().length; a++) {
        double[] values = new double[members.length];
        for (int k = 0; k < members.length; k++) {
          values[k] = mode.of(x, members[k])[a];
        }
        double one = Probes.deviation(values);
        square += one * one;
      }
      worst = Math.max(worst, Math.sqrt(square));
    }
    return worst;
  }

  private static Probe unstableGroups(ReplicaFacts facts, double distance) {
    List<LeftCoordinates> unstable =
        LeftCoordinates.of(facts.value()).stream().filter(m -> m.eigenvalue().re() > 0).toList();
    int k = unstable.stream().mapToInt(m -> m.rows().length).sum();
    if (k == 0) {
      throw new IllegalArgumentException("V has no eigenvalue with positive real part");
    }
    return (t, x) -> {
      double[] y = new double[facts.n() * k];
      for (int i = 0; i < facts.n(); i++) {
        int at = i * k;
        for (LeftCoordinates mode : unstable) {
          for (double u : mode.of(x, i)) {
            y[at++] = u;
          }
        }
      }
      return SingleLinkage.of(new Tokens(y, facts.n(), k), Link.distance(distance)).count();
    };
  }

  /** Angle of the difference of two tokens of the largest level, which are chosen once. */
  private static final class Turn implements Probe {
    private final ReplicaFacts facts;
    private final double[] phi;
    private final double gap;
    private final LeftCoordinates mode;
    private int[] pair;
    private double last = Double.NaN;

    Turn(ReplicaFacts facts, double[] phi, double gap, LeftCoordinates mode) {
      if (mode.rows().length != 2) {
        throw new IllegalArgumentException(
            "only a complex pair turns, and " + mode.eigenvalue() + " is none");
      }
      this.facts = facts;
      this.phi = phi;
      this.gap = gap;
      this.mode = mode;
    }

    @Override
    public double at(double t, double[] x) {
      if (pair == null) {
        pair = pair(levels(facts, x, phi, gap), x);
      }
      if (pair == null) {
        return Double.NaN;
      }
      double[] a = mode.of(x, pair[0]);
      double[] b = mode.of(x, pair[1]);
      last = Probes.lifted(last, Math.atan2(a[1] - b[1], a[0] - b[0]));
      return last;
    }

    /** The two tokens of the largest level that are farthest apart; null while levels are many. */
    private int[] pair(GapGroups levels, double[] x) {
      if (levels.clusters().count() > FEW) {
        return null;
      }
      int[] largest = {};
      for (int[] members : levels.clusters().members()) {
        largest = members.length > largest.length ? members : largest;
      }
      int[] best = null;
      double far = 0;
      for (int i : largest) {
        for (int j : largest) {
          double[] a = mode.of(x, i);
          double[] b = mode.of(x, j);
          double one = Math.hypot(a[0] - b[0], a[1] - b[1]);
          if (one > far) {
            far = one;
            best = new int[] {i, j};
          }
        }
      }
      return best;
    }
  }
}
