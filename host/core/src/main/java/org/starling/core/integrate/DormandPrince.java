package org.starling.core.integrate;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;

/**
 * Dormand and Prince 5(4): every replica has its own step and error, all attempts share the
 * engine's calls. The error is measured on the unretracted difference; accepted states are
 * retracted on the sphere, and their first slope is evaluated anew. Without a retraction the last
 * slope is the next first one, bit for bit, and is not evaluated again.
 *
 * <p>At a switch of weights the stepper restarts: the step is clipped to the switch, the step size
 * from before the clipping is kept and the error memory is reset.
 */
final class DormandPrince extends AdaptiveStepper {
  /** A step that would leave less than this part of itself before a barrier is stretched to it. */
  private static final double STRETCH = 1.01;

  private final Standstill standstill;

  /** What the method knows; decides the count of evaluations. */
  private final Slope[] slope;

  /** Whether the slopes in memory are still those: output between steps overwrites them. */
  private final boolean[] intact;

  DormandPrince(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec, engine, dynamics, x);
    standstill = new Standstill(this);
    slope = new Slope[replicas];
    intact = new boolean[replicas];
    Arrays.fill(slope, Slope.NOWHERE);
  }

  // --- step sizes ---

  @Override
  double target(int r) {
    double h = trial(r);
    double barrier = barrier(r);
    return time[r] + STRETCH * h >= barrier ? barrier : time[r] + h;
  }

  @Override
  void chooseFirstSteps() {
    boolean[] which = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      which[r] = size[r] == 0;
    }
    if (none(which)) {
      return;
    }
    double[] chosen = FirstStep.choose(this, which, stage, k[0], k[1]);
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        size[r] = chosen[r];
        slope[r] = Slope.FIRST;
        intact[r] = true;
      }
    }
  }

  @Override
  void switched(int r) {
    errorMemory[r] = StepControl.ERROR_FLOOR;
    slope[r] = Slope.NOWHERE;
  }

  @Override
  void regrouped(int r) {
    slope[r] = Slope.NOWHERE;
  }

  @Override
  Outcome underflow(int r) {
    boolean[] only = new boolean[replicas];
    only[r] = true;
    if (slope[r] != Slope.FIRST || !intact[r]) {
      evaluate(x, time, only, k[0], false);
      intact[r] = false;
    }
    return underflow(r, engine.largest(k[0], only)[r]);
  }

  // --- steps ---

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
        h[r] = to[r] == barrier(r) ? to[r] - time[r] : size[r];
      }
    }
    firstSlope(batch);
    double[] err = step(to, h, batch, stage, true);
    collect();
    boolean[] moved = new boolean[replicas];
    boolean[] atTheEdge = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      slope[r] = Slope.FIRST;
      intact[r] = true;
      if (err[r] <= 1) {
        moved[r] = true;
        atTheEdge[r] = lastNonFinite[r];
        advance(r, to[r], h[r], err[r]);
      } else {
        refuse(r, h[r], err[r], batch);
      }
    }
    settle(stage, x, moved);
    standstill.look(atTheEdge, h, k[1]);
    watchResolution(moved, h, k[1]);
  }

  private void advance(int r, double t, double h, double err) {
    double next = StepControl.afterAccept(h, err, errorMemory[r], justRejected[r]);
    // A step clipped to a barrier says little about the size: keep that from before.
    size[r] = h < size[r] ? Math.max(size[r], next) : next;
    errorMemory[r] = Math.max(err, StepControl.ERROR_FLOOR);
    justRejected[r] = false;
    lastNonFinite[r] = false;
    slope[r] = retracting ? Slope.NOWHERE : Slope.LAST;
    accept(r, t);
  }

  private void refuse(int r, double h, double err, boolean[] batch) {
    reject(r);
    justRejected[r] = true;
    lastNonFinite[r] = Double.isNaN(err);
    size[r] = StepControl.afterReject(h, err);
    if (lastNonFinite[r]) {
      boolean[] only = new boolean[replicas];
      only[r] = batch[r];
      Engine.Extreme worst = engine.largest(k[0], only)[r];
      if (Double.isNaN(worst.value()) || Double.isInfinite(worst.value())) {
        failNonFinite(r, worst.token());
      }
    }
  }

  /** Makes slope 0 the velocity at the accepted state. */
  private void firstSlope(boolean[] batch) {
    boolean allLast = true;
    boolean allLastIntact = true;
    boolean counted = false;
    boolean othersHold = false;
    boolean[] missing = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (batch[r]) {
        allLast &= slope[r] == Slope.LAST;
        allLastIntact &= slope[r] == Slope.LAST && intact[r];
        counted |= slope[r] != Slope.FIRST;
        missing[r] = !(slope[r] == Slope.FIRST && intact[r]);
      } else {
        othersHold |= held[r];
      }
    }
    // A replica that waits for output needs its slopes where they are: then no places are swapped.
    if (allLastIntact && !othersHold) {
      Field last = k[1];
      k[1] = k[0];
      k[0] = last;
      for (int r = 0; r < replicas; r++) {
        intact[r] &= batch[r];
      }
    } else if (!none(missing)) {
      // Where only a side step has overwritten what was known, the evaluation is not counted: an
      // undisturbed run would not have made it.
      evaluate(x, time, missing, k[0], counted && !allLast);
    }
  }

  /** Stages from x over h[r], the unretracted solution of order 5 in out, its error returned. */
  private double[] step(double[] to, double[] h, boolean[] which, State out, boolean counted) {
    double[] t = time.clone();
    for (int s = 1; s <= 6; s++) {
      State target = s == 6 ? out : stage;
      combine(target, s, h, which);
      for (int r = 0; r < replicas; r++) {
        t[r] = Tableau.C[s] == 1 ? to[r] : time[r] + Tableau.C[s] * h[r];
      }
      evaluate(target, t, which, s == 6 ? k[1] : k[s], counted);
    }
    double[][] weights = new double[Tableau.ERROR.length][];
    for (int m = 0; m < weights.length; m++) {
      weights[m] = scaled(h, Tableau.ERROR[m]);
    }
    return engine.errorNorm(x, out, weights, used(), spec.atol(), spec.rtol(), which);
  }

  /** target = x + h sum of row s of the tableau. */
  private void combine(State target, int s, double[] h, boolean[] which) {
    double[] row = Tableau.A[s];
    double[][] c = new double[row.length][];
    Field[] f = new Field[row.length];
    int count = 0;
    for (int m = 0; m < row.length; m++) {
      if (row[m] != 0) {
        c[count] = scaled(h, row[m]);
        f[count++] = k[m];
      }
    }
    engine.combine(target, x, Arrays.copyOf(c, count), Arrays.copyOf(f, count), which);
  }

  // --- output ---

  @Override
  double[] aside(double[] t, double[] h, boolean[] ahead, State out) {
    for (int r = 0; r < replicas; r++) {
      if (ahead[r]) {
        intact[r] = false;
        held[r] = false;
      }
    }
    evaluate(x, time, ahead, k[0], false);
    return step(t, h, ahead, out, false);
  }

  // --- saving ---

  @Override
  Slope known(int r) {
    return slope[r];
  }

  @Override
  void restored(int r, Slope saved) {
    slope[r] = saved;
    intact[r] = false;
  }
}
