package org.starling.core.integrate;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;

/**
 * The path of the tokens at unit speed: x' = v / |v|, with |v|^2 the sum of the squares of all
 * speeds, so that t is the length of the path in R^{n d} and exponentially long waits pass in no
 * step at all. Steps are Euler's. Where tokens meet this field has no limit: those nearer than the
 * distance of {@code merge} are put at their mean after a step, and move on together, with the
 * weight of their number, since under the full mask tokens at one place have one velocity.
 */
final class ArclengthStepper extends EqualStepper {
  private final Field slope;

  /** Null where nothing is glued. */
  private final Merging gluing;

  private final int n;
  private final int d;
  private final boolean sphere;

  ArclengthStepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec.withMerging(null), engine, dynamics, x);
    gluing = spec.merging();
    n = x.shape().n();
    d = x.shape().d();
    sphere = dynamics[0].geometry() == Geometry.SPHERE;
    try {
      slope = arrays.field();
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
  }

  /** Why a run cannot go by arclength, with what to do instead; null if it can. */
  static String refusal(IntegratorSpec spec, Dynamics dynamics) {
    if (!dynamics.autonomous() || !dynamics.weights().constant()) {
      return "arclength follows a path through a field that does not change in time; use another"
          + " method for the rescaled geometry and for per-layer weights";
    }
    if (spec.merging() == null) {
      return null;
    }
    if (!dynamics.mask().full()) {
      return "arclength glues tokens that meet, and only under the full mask do they stay together;"
          + " leave out merge";
    }
    return spec.merging().distance() >= 2 * spec.dt()
        ? null
        : "two tokens come nearer by up to 1.42 dt in a step of arclength and would pass each other"
            + " unseen: merge.distance "
            + spec.merging().distance()
            + " must be at least 2 dt = "
            + 2 * spec.dt();
  }

  @Override
  public void attempt(boolean[] active) {
    boolean[] batch = begin(active);
    if (none(batch)) {
      return;
    }
    double[] to = time.clone();
    double[] h = new double[replicas];
    for (int r = 0; r < replicas; r++) {
      if (batch[r]) {
        to[r] = target(r);
        h[r] = size(r);
      }
    }
    copy(x, old, batch);
    double[] speed = advance(old, time, h, batch, x, true);
    collect();
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (batch[r] && Double.isNaN(speed[r])) {
        failNonFinite(r, engine.largest(slope, batch)[r].token(), to[r]);
      } else if (batch[r] && speed[r] == 0) {
        fail(
            r,
            Outcome.Kind.STOP_CONDITION,
            -1,
            "no token moves any more, after a path of length %.6g",
            time[r]);
      } else if (batch[r]) {
        moved[r] = true;
        count[r]++;
        accept(r, to[r]);
      }
    }
    if (gluing != null && !none(moved)) {
      glue(moved);
    }
  }

  /** Steps of length h[r]; returns the speeds |v|, NaN where they are not finite. */
  private double[] advance(
      State base, double[] from, double[] h, boolean[] which, State out, boolean counted) {
    evaluate(base, from, which, slope, counted);
    double[] v = engine.download(slope);
    double[] speed = new double[replicas];
    double[] c = new double[replicas];
    boolean[] going = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      speed[r] = which[r] ? length(v, r * n * d, (r + 1) * n * d) : 0;
      going[r] = speed[r] > 0;
      c[r] = going[r] ? h[r] / speed[r] : 0;
    }
    engine.combine(out, base, new double[][] {c}, new Field[] {slope}, going);
    retract(out, going);
    return speed;
  }

  /** Euclidean norm of a part of an array, whatever the range of its numbers. */
  private static double length(double[] v, int from, int to) {
    double largest = 0;
    for (int k = from; k < to; k++) {
      largest = Double.isFinite(v[k]) ? Math.max(largest, Math.abs(v[k])) : Double.NaN;
      if (Double.isNaN(largest)) {
        return largest;
      }
    }
    double square = 0;
    for (int k = from; largest > 0 && k < to; k++) {
      square += (v[k] / largest) * (v[k] / largest);
    }
    return largest * Math.sqrt(square);
  }

  /** Puts tokens that have met at their mean. */
  private void glue(boolean[] which) {
    double[] positions = engine.download(x);
    boolean changed = false;
    for (int r = 0; r < replicas; r++) {
      if (!which[r] || steps(r) % gluing.every() != 0) {
        continue;
      }
      int at = r * n * d;
      int[] leader = NearTokens.leaders(positions, at, n, d, gluing.distance());
      for (int l = 0; l < n; l++) {
        changed |= leader[l] == l && gather(leader, l, positions, at);
      }
    }
    if (changed) {
      engine.upload(x, positions);
    }
  }

  /** Moves the tokens of one leader to their mean; whether any was elsewhere. */
  private boolean gather(int[] leader, int l, double[] x, int at) {
    double[] mean = new double[d];
    int members = 0;
    boolean apart = false;
    for (int i = l; i < n; i++) {
      if (leader[i] == l) {
        members++;
        for (int c = 0; c < d; c++) {
          mean[c] += x[at + i * d + c];
          apart |= x[at + i * d + c] != x[at + l * d + c];
        }
      }
    }
    if (!apart) {
      return false;
    }
    double scale = sphere ? length(mean, 0, d) : members;
    for (int i = l; i < n; i++) {
      for (int c = 0; leader[i] == l && c < d; c++) {
        x[at + i * d + c] = mean[c] / scale;
      }
    }
    return true;
  }

  @Override
  void shortened(
      State base, double[] from, double[] to, double[] h, int ago, boolean[] which, State out) {
    if (!none(which)) {
      copy(base, out, which);
      advance(base, from, h, which, out, false);
    }
  }

  /** Every evaluation begins by overwriting it. */
  @Override
  public Field lend(boolean[] which) {
    return slope;
  }
}
