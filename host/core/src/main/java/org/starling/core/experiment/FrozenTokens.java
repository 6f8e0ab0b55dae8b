package org.starling.core.experiment;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.starling.core.experiment.TokensSpec.Frozen;
import org.starling.core.model.Dynamics;
import org.starling.core.model.RenyiScan;
import org.starling.core.model.TokenRoles;

/**
 * Gives dynamics the roles of tokens that an experiment states, and puts frozen ones in their
 * places.
 */
final class FrozenTokens {
  private record Key(Dynamics plain, Frozen frozen, List<Double> weights) {}

  private final Map<Key, Dynamics> shared = new HashMap<>();

  /** What is wrong with such tokens among n in d dimensions, as the end of a sentence; or null. */
  static String refusal(Frozen frozen, int n, int d) {
    int count = frozen instanceof Frozen.First f ? f.count() : placed(frozen);
    if (count > n) {
      return "names " + count + " tokens, but there are n = " + n;
    }
    if (frozen instanceof Frozen.Listed l) {
      for (int token : l.tokens()) {
        if (token >= n) {
          return "names token " + token + ", but tokens go from 0 to " + (n - 1);
        }
      }
    }
    if (frozen instanceof Frozen.AtAngles && d != 2) {
      return "gives angles, which need d = 2, not " + d + "; write points";
    }
    if (frozen instanceof Frozen.At at && at.rows().get(0).size() != d) {
      return "gives points of " + at.rows().get(0).size() + " coordinates, but d = " + d;
    }
    return null;
  }

  private static int placed(Frozen frozen) {
    return frozen instanceof Frozen.At at
        ? at.rows().size()
        : frozen instanceof Frozen.AtAngles a ? a.angles().size() : 0;
  }

  /** Puts the first tokens at the places stated, {@code [n][d]} from {@code at} on. */
  static void place(Frozen frozen, int d, double[] x, int at) {
    for (int i = 0; i < placed(frozen); i++) {
      if (frozen instanceof Frozen.AtAngles a) {
        x[at + 2 * i] = Math.cos(a.angles().get(i));
        x[at + 2 * i + 1] = Math.sin(a.angles().get(i));
      } else {
        List<Double> row = ((Frozen.At) frozen).rows().get(i);
        for (int c = 0; c < d; c++) {
          x[at + i * d + c] = row.get(c);
        }
      }
    }
  }

  /**
   * The dynamics with these tokens frozen and weighted; equal ones are one object, but for centres,
   * which every start has its own of.
   *
   * @param frozen null for none
   * @param weights of the first tokens; null where all are 1
   * @param start gives the positions of the replica at the start, {@code [n][d]}
   */
  Dynamics roles(
      Dynamics plain, Frozen frozen, List<Double> weights, int n, int d, Supplier<double[]> start) {
    if (frozen == null && weights == null) {
      return plain;
    }
    if (frozen instanceof Frozen.Centres c) {
      boolean[] still = centres(c, plain.at(0, 0).beta(), n, d, start.get());
      return plain.withRoles(new TokenRoles(still, all(weights, n)));
    }
    return shared.computeIfAbsent(
        new Key(plain, frozen, weights),
        key -> plain.withRoles(new TokenRoles(stated(frozen, n), all(weights, n))));
  }

  private static double[] all(List<Double> weights, int n) {
    if (weights == null) {
      return null;
    }
    double[] all = new double[n];
    Arrays.setAll(all, i -> i < weights.size() ? weights.get(i) : 1);
    return all;
  }

  private static boolean[] stated(Frozen frozen, int n) {
    boolean[] still = new boolean[n];
    if (frozen instanceof Frozen.Listed l) {
      l.tokens().forEach(i -> still[i] = true);
      return still;
    }
    int count = frozen instanceof Frozen.First f ? f.count() : placed(frozen);
    for (int i = 0; i < count; i++) {
      still[i] = true;
    }
    return still;
  }

  private static boolean[] centres(Frozen.Centres c, double beta, int n, int d, double[] x) {
    double delta = c.c() / Math.sqrt(beta);
    if (!(delta < Math.PI)) {
      throw new IllegalArgumentException(
          "tokens.frozen.centres: c / sqrt(beta) = "
              + delta
              + " must be an angle below pi; take a larger beta or a smaller c");
    }
    RenyiScan scan = RenyiScan.of(n, (i, j) -> angle(x, i * d, j * d, d), delta);
    boolean[] still = new boolean[n];
    (c.strong() ? scan.strong() : scan.ordinary()).forEach(i -> still[i] = true);
    return still;
  }

  /** Angle of two unit vectors by the half chords of their difference and sum. */
  private static double angle(double[] x, int a, int b, int d) {
    double difference = 0;
    double sum = 0;
    for (int c = 0; c < d; c++) {
      difference += (x[a + c] - x[b + c]) * (x[a + c] - x[b + c]);
      sum += (x[a + c] + x[b + c]) * (x[a + c] + x[b + c]);
    }
    return 2 * Math.atan2(Math.sqrt(difference), Math.sqrt(sum));
  }
}
