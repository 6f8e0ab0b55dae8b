package org.starling.core.integrate;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;

/**
 * Methods with a fixed step.
 *
 * <p>Output between step ends is a shortened step of the same method from the start of the last
 * step: it costs the method's evaluations once more, has the method's own order, and joins the
 * accepted steps without a jump. For euler and layers it is linear interpolation (put back on the
 * sphere), all that order 1 deserves. With noise the shortened step takes the random numbers of the
 * whole one: its state has the law of that time, and leads to the end of the step without a jump,
 * but the two together are not two points of one Brownian path.
 */
final class FixedStepper extends EqualStepper {
  /** Numbers of a state whose steps are short. */
  private static final long SHORT = 1L << 17;

  /** Most steps without a look. */
  private static final int MOST = 64;

  /** Steps to be made one by one, since one of them leads to a number that is not finite. */
  private int unchecked;

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
    try {
      stage = spec.method() == Method.RK4 ? arrays.state() : null;
      k1 = arrays.field();
      k2 = spec.method() == Method.HEUN ? arrays.field() : k1;
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
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
        failNonFinite(r, bad[r].firstToken(), to[r]);
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
        h[r] = size(r);
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
      least = stepsUntil(r, least, pause);
    }
    return least;
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
  void shortened(
      State base, double[] from, double[] to, double[] h, int ago, boolean[] which, State out) {
    if (!none(which)) {
      advance(base, from, to, h, numbers(-ago), which, out, false);
    }
  }

  /** Every evaluation begins by overwriting the slopes. */
  @Override
  public Field lend(boolean[] which) {
    return k1;
  }
}
