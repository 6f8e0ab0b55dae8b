package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;

/**
 * Methods with a fixed step. Times are start + k dt by multiplication, counted from the start of
 * the current weight set, whose last step is shortened (or, within a billionth of dt, stretched) to
 * end at the switch.
 *
 * <p>Output between step ends is a shortened step of the same method from the start of the last
 * step: it costs the method's evaluations once more, has the method's own order, and joins the
 * accepted steps without a jump. For euler and layers it is linear interpolation (put back on the
 * sphere), all that order 1 deserves. With noise the shortened step takes the random numbers of the
 * whole one: its state has the law of that time, and leads to the end of the step without a jump,
 * but the two together are not two points of one Brownian path.
 */
final class FixedStepper extends Stepper {
  /** Part of dt below which a remainder before a switch is rounding, not a step. */
  private static final double ROUNDING = 1e-9;

  /** Numbers of a state whose steps are short. */
  private static final long SHORT = 1L << 17;

  /** Most steps without a look. */
  private static final int MOST = 64;

  private final double[] start;
  private final long[] count;

  /** Steps to be made one by one, since one of them leads to a number that is not finite. */
  private int unchecked;

  /** The state at the start of the last step. */
  private State old;

  private final State stage;
  private final Field k1;
  private final Field k2;

  /** Null without noise. */
  private final NoiseSteps noise;

  /**
   * @param noise null without noise
   */
  FixedStepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x, NoiseSteps noise) {
    super(spec, engine, dynamics, x);
    this.noise = noise;
    start = new double[replicas];
    count = new long[replicas];
    try {
      old = arrays.state();
      stage = spec.method() == Method.RK4 ? arrays.state() : null;
      k1 = arrays.field();
      k2 = spec.method() == Method.HEUN ? arrays.field() : k1;
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
  }

  @Override
  double trial(int r) {
    return spec.dt();
  }

  @Override
  double target(int r) {
    return end(start[r], count[r] + 1, spec.dt(), barrier(r));
  }

  /** End of step {@code number}, from 1, after a start. */
  static double end(double start, long number, double dt, double barrier) {
    double t = start + number * dt;
    return t >= barrier - ROUNDING * dt ? barrier : t;
  }

  /** Whether a step ends at t &gt; 0 exactly, where nothing but switches of weights shortens it. */
  static boolean endsAt(double t, double dt, Dynamics dynamics) {
    int layer = dynamics.layerIndex(t);
    double start = dynamics.start(layer);
    long number = (long) Math.rint((t - start) / dt);
    return number == 0 ? t == start : end(start, number, dt, dynamics.end(layer)) == t;
  }

  @Override
  Outcome underflow(int r) {
    return outcome(
        r,
        Outcome.Kind.STEP_UNDERFLOW,
        -1,
        "dt = %.3g no longer changes t = %.17g in float64; use a larger dt",
        spec.dt(),
        time[r]);
  }

  @Override
  void switched(int r) {
    start[r] = time[r];
    count[r] = 0;
  }

  @Override
  public void attempt(boolean[] active) {
    make(begin(active));
  }

  private void make(boolean[] batch) {
    if (none(batch)) {
      return;
    }
    unchecked = Math.max(0, unchecked - 1);
    double[] to = time.clone();
    double[] h = step(batch, to);
    Observations.NonFinite[] bad = engine.observations().nonFinite(x);
    collect();
    boolean[] undo = new boolean[replicas];
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      if (bad[r].count() > 0) {
        undo[r] = true;
        previous[r] = time[r];
        fail(
            r,
            Outcome.Kind.NON_FINITE,
            bad[r].firstToken(),
            "token %d became non-finite in the step from t = %.6g to %.6g; the state at t = %.6g is"
                + " kept. Use a smaller dt, or dopri5, which chooses its steps",
            bad[r].firstToken(),
            time[r],
            to[r],
            time[r]);
      } else {
        moved[r] = true;
        count[r]++;
        accept(r, to[r]);
      }
    }
    if (!none(undo)) {
      copy(old, x, undo);
    }
    watch(moved, h);
  }

  /** Noise moves tokens whatever their velocities are. */
  private void watch(boolean[] moved, double[] h) {
    if (noise == null) {
      watchResolution(moved, h, k2);
    }
  }

  /** Queues one step of every replica in the batch to x; sets {@code to}, returns its sizes. */
  private double[] step(boolean[] batch, double[] to) {
    double[] h = new double[replicas];
    for (int r = 0; r < replicas; r++) {
      if (batch[r]) {
        to[r] = target(r);
        // A full step is dt itself, not a difference of times, so that equal steps have equal bits.
        h[r] = to[r] == barrier(r) ? to[r] - time[r] : spec.dt();
      }
    }
    if (all(batch)) {
      // Nobody needs the start of the step before: its place takes the new state.
      advance(x, time, to, h, numbers(0), batch, old, true);
      State made = old;
      old = x;
      x = made;
    } else {
      copy(x, old, batch);
      advance(old, time, to, h, numbers(0), batch, x, true);
    }
    return h;
  }

  /**
   * Where a step is short, waiting for its outcome costs as much as the step: several are made
   * before the host looks. A number that is not finite never becomes one again, so the last state
   * shows whether one came up; then all are undone and made again one by one.
   */
  @Override
  public void advance(boolean[] active, Pause pause) {
    boolean[] batch = begin(active);
    boolean look = x.shape().size() > SHORT || merges() || unchecked > 0 || !all(batch);
    int steps = look ? 1 : stepsUntil(pause);
    if (steps < 2) {
      make(batch);
      return;
    }
    byte[] clocks = save();
    byte[] start = engine.snapshot(x);
    for (int s = 0; s < steps; s++) {
      double[] to = time.clone();
      double[] h = step(batch, to);
      for (int r = 0; r < replicas; r++) {
        count[r]++;
        accept(r, to[r]);
      }
      watch(batch, h);
    }
    for (Observations.NonFinite bad : engine.observations().nonFinite(x)) {
      if (bad.count() > 0) {
        engine.restore(x, start);
        restore(clocks);
        engine.dropReport();
        unchecked = steps;
        make(batch);
        return;
      }
    }
    collect();
  }

  /**
   * Steps before one of the replicas has to pause, or comes to a barrier or a limit; at least 1.
   */
  private int stepsUntil(Pause pause) {
    int least = MOST;
    for (int r = 0; r < replicas; r++) {
      int limit = (int) Math.min(least, Math.min(pause.stepsLeft(steps(r)), attemptsLeft(r)));
      least = Math.max(1, stepsUntil(r, limit, pause));
    }
    return least;
  }

  private int stepsUntil(int r, int limit, Pause pause) {
    int made = 0;
    double t = time[r];
    double barrier = barrier(r);
    while (made < limit) {
      double next = end(start[r], count[r] + made + 1, spec.dt(), barrier);
      // One that is cut short, and limits of resolution, are for a step of their own to judge.
      if (next == barrier
          || next <= t
          || spec.dt() < floorAt(t)
          || (made > 0 && (t >= pause.reach() || t + (next - t) >= pause.before()))) {
        break;
      }
      t = next;
      made++;
    }
    return made;
  }

  /**
   * One step of size h[r] from base, at times from[r] to to[r]; out is not base.
   *
   * @param number of the step, from 0, of each replica; decides its random numbers
   */
  private void advance(
      State base,
      double[] from,
      double[] to,
      double[] h,
      long[] number,
      boolean[] which,
      State out,
      boolean counted) {
    switch (spec.method()) {
      case EULER, LAYERS -> {
        evaluate(base, from, which, k1, counted);
        add(out, base, 1, h, k1, which);
      }
      case EULER_MARUYAMA -> {
        evaluate(base, from, which, k1, counted);
        add(out, base, 1, h, k1, which);
        noise.add(out, base, number, h, which);
      }
      case HEUN -> {
        evaluate(base, from, which, k1, counted);
        add(out, base, 1, h, k1, which);
        evaluate(out, to, which, k2, counted);
        double[] half = scaled(h, 0.5);
        engine.combine(out, base, new double[][] {half, half}, new Field[] {k1, k2}, which);
      }
      case RK4 -> {
        // The weighted sum of the slopes accumulates in out, so that one slope is held at a time.
        double[] middle = new double[replicas];
        for (int r = 0; r < replicas; r++) {
          middle[r] = from[r] + 0.5 * h[r];
        }
        double[] sixth = scaled(h, 1.0 / 6);
        double[] third = scaled(h, 1.0 / 3);
        double[] half = scaled(h, 0.5);
        evaluate(base, from, which, k1, counted);
        engine.combineBoth(stage, base, half, out, base, sixth, k1, which);
        evaluate(stage, middle, which, k1, counted);
        engine.combineBoth(stage, base, half, out, out, third, k1, which);
        evaluate(stage, middle, which, k1, counted);
        engine.combineBoth(stage, base, h, out, out, third, k1, which);
        evaluate(stage, to, which, k1, counted);
        add(out, out, 1.0 / 6, h, k1, which);
      }
      default -> throw new IllegalStateException(spec.method() + " has no fixed step");
    }
    retract(out, which);
  }

  /** Numbers of the steps that come next (0), or of those made last (-1). */
  private long[] numbers(int from) {
    long[] number = new long[replicas];
    for (int r = 0; r < replicas; r++) {
      number[r] = steps(r) + from;
    }
    return number;
  }

  private void add(State out, State base, double c, double[] h, Field k, boolean[] which) {
    engine.combine(out, base, new double[][] {scaled(h, c)}, new Field[] {k}, which);
  }

  @Override
  public void interpolate(double[] t, boolean[] which, State out) {
    boolean[] inside = new boolean[replicas];
    boolean[] atEnd = new boolean[replicas];
    double[] h = new double[replicas];
    int[] current = index.clone();
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkInside(r, t[r]);
        atEnd[r] = t[r] == time[r];
        inside[r] = !atEnd[r];
        h[r] = t[r] - previous[r];
        if (inside[r]) {
          index[r] = stepIndex[r];
        }
      }
    }
    if (!none(atEnd)) {
      copy(x, out, atEnd);
    }
    if (!none(inside)) {
      advance(old, previous, t, h, numbers(-1), inside, out, false);
    }
    System.arraycopy(current, 0, index, 0, replicas);
  }

  @Override
  public boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    boolean[] ahead = new boolean[replicas];
    boolean[] here = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkAhead(r, t[r]);
        h[r] = t[r] - time[r];
        here[r] = t[r] == time[r];
        ahead[r] = !here[r];
      }
    }
    if (!none(here)) {
      copy(x, out, here);
    }
    if (!none(ahead)) {
      advance(x, time, t, h, numbers(0), ahead, out, false);
    }
    return which.clone();
  }

  /** Every evaluation begins by overwriting the slopes. */
  @Override
  public Field lend(boolean[] which) {
    return k1;
  }

  @Override
  void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(start[r]);
    out.writeLong(count[r]);
  }

  @Override
  void restoreOwn(int r, DataInputStream in) throws IOException {
    start[r] = in.readDouble();
    count[r] = in.readLong();
  }
}
