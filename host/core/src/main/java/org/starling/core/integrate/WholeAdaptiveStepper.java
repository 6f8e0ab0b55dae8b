package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.State;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/**
 * Dormand and Prince 5(4) on an engine that makes whole steps: what {@link DormandPrince} does,
 * with errors judged and step sizes chosen where the steps are made. Times are float64 as there;
 * step sizes are numbers of the working precision, since the engine may know no wider ones.
 */
final class WholeAdaptiveStepper extends Stepper {
  /** Most attempts that are looked ahead at a time. */
  private static final int MOST = 4096;

  private final WholeSteps whole;
  private final RungeKutta scheme;
  private final StepLaw law;
  private final boolean retracting;
  private final double[] size;
  private final double[] errorMemory;
  private final boolean[] justRejected;
  private final boolean[] lastNonFinite;
  private final int[] stuck;

  /** After an accepted attempt: the unretracted new state, from which dense output leads back. */
  private final State end;

  /** Slopes 0..5; slope 6 stands in place of slope 1. */
  private final Field[] k = new Field[6];

  WholeAdaptiveStepper(
      IntegratorSpec spec,
      Engine engine,
      WholeSteps whole,
      RungeKutta scheme,
      Dynamics[] dynamics,
      State x) {
    super(spec, engine, dynamics, x);
    this.whole = whole;
    this.scheme = scheme;
    law = StepControl.law(spec, engine.precision());
    retracting = dynamics[0].geometry() == Geometry.SPHERE;
    size = new double[replicas];
    errorMemory = new double[replicas];
    justRejected = new boolean[replicas];
    lastNonFinite = new boolean[replicas];
    stuck = new int[replicas];
    Arrays.fill(size, rounded(spec.firstStep()));
    Arrays.fill(errorMemory, StepControl.ERROR_FLOOR);
    try {
      end = arrays.state();
      for (int m = 0; m < k.length; m++) {
        k[m] = arrays.field();
      }
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
  }

  // --- step sizes ---

  /** The nearest step that the engine can make; 0 stays. */
  private double rounded(double h) {
    if (h == 0) {
      return 0;
    }
    return engine.precision() == Precision.DOUBLE ? h : Math.max((float) h, Float.MIN_NORMAL);
  }

  @Override
  double trial(int r) {
    chooseFirstSteps();
    return size[r];
  }

  @Override
  double target(int r) {
    return tooSmall(r) ? time[r] : time[r] + trial(r);
  }

  /** Whether rejections have led out of the range of the engine's numbers. */
  private boolean tooSmall(int r) {
    double least = engine.precision() == Precision.DOUBLE ? Double.MIN_NORMAL : Float.MIN_NORMAL;
    return trial(r) < least;
  }

  private void chooseFirstSteps() {
    boolean[] which = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      which[r] = size[r] == 0 && steps(r) + rejected(r) == 0;
    }
    if (none(which)) {
      return;
    }
    double[] chosen = FirstStep.choose(this, which, end, k[0], k[1]);
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        size[r] = rounded(chosen[r]);
      }
    }
  }

  @Override
  void slope(State at, Layer[] now, boolean[] which, Field out) {
    whole.slope(scheme, at, now, which, out);
  }

  @Override
  void switched(int r) {
    throw new IllegalStateException("whole steps know one set of weights");
  }

  @Override
  Outcome underflow(int r) {
    boolean[] only = new boolean[replicas];
    only[r] = true;
    evaluate(x, time, only, k[0], false);
    return DormandPrince.underflow(
        this, r, size[r], lastNonFinite[r], engine.largest(k[0], only)[r]);
  }

  // --- steps ---

  @Override
  public void attempt(boolean[] active) {
    make(begin(active), null);
  }

  @Override
  public void advance(boolean[] active, Pause pause) {
    make(begin(active), pause);
  }

  /**
   * @param pause null for one attempt
   */
  private void make(boolean[] batch, Pause pause) {
    if (none(batch)) {
      return;
    }
    int[] attempts = new int[replicas];
    int[] steps = new int[replicas];
    boolean[] counted = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      attempts[r] = 1;
      steps[r] = 1;
      if (pause != null) {
        double ahead = (pause.reach() - time[r]) / size[r];
        attempts[r] = (int) Math.min(Math.min(MOST, attemptsLeft(r)), Math.max(1, ahead + 1));
        steps[r] = (int) Math.min(MOST, pause.stepsLeft(steps(r)));
      }
      counted[r] = firstIsKnown(r);
    }
    double reach = pause == null ? Double.POSITIVE_INFINITY : pause.reach();
    double before = pause == null ? Double.POSITIVE_INFINITY : pause.before();
    double[] at = time.clone();
    double[] from = previous.clone();
    WholeSteps.Attempts made =
        whole.adapt(
            scheme,
            law,
            x,
            end,
            k,
            layersNow(batch),
            new WholeSteps.Clocks(
                at, from, size, errorMemory, justRejected, lastNonFinite, stuck, counted),
            new WholeSteps.Limits(attempts, steps, reach, before),
            watching(pause));
    note(made.report());
    double[] h = new double[replicas];
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (made.accepted()[r] > 0) {
        moved[r] = true;
        accept(r, made.accepted()[r], from[r], at[r]);
        h[r] = at[r] - from[r];
      }
      if (made.accepted()[r] + made.rejected()[r] > 0) {
        reject(r, made.rejected()[r]);
        held[r] = !justRejected[r];
      }
      if (made.badToken()[r] >= 0) {
        failNonFinite(r, made.badToken()[r]);
      } else if (stuck[r] >= Standstill.STUCK) {
        boolean[] only = new boolean[replicas];
        only[r] = true;
        Standstill.end(this, r, h[r], engine.largest(k[1], only)[r]);
      }
    }
    watchResolution(moved, h, made.motion());
  }

  private void failNonFinite(int r, int token) {
    fail(
        r,
        Outcome.Kind.NON_FINITE,
        token,
        "the velocity of token %d is not finite at t = %.6g (step %d)",
        token,
        time[r],
        steps(r));
  }

  /** Whether the last attempt has evaluated the velocity at the state. */
  private boolean firstIsKnown(int r) {
    return justRejected[r] || (!retracting && steps(r) > 0);
  }

  /**
   * As many passes as the replica with most of them has needed. Those that are made once more where
   * a launch begins do not count.
   */
  @Override
  public long evaluations() {
    long most = 0;
    for (int r = 0; r < replicas; r++) {
      long attempts = steps(r) + rejected(r);
      long starts = retracting ? steps(r) + (justRejected[r] ? 1 : 0) : Math.min(attempts, 1);
      // The choice of a first step has evaluated the first of them.
      starts -= spec.firstStep() == 0 && starts > 0 ? 1 : 0;
      most = Math.max(most, (scheme.stages() - 1) * attempts + starts);
    }
    return super.evaluations() + most;
  }

  // --- output ---

  @Override
  public void interpolate(double[] t, boolean[] which, State out) {
    Field[] used = {k[0], k[2], k[3], k[4], k[5], k[1]};
    DenseOutput.write(this, end, used, t, which, out);
  }

  @Override
  public boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    boolean[] ahead = new boolean[replicas];
    boolean[] here = new boolean[replicas];
    boolean[] good = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkAhead(r, t[r]);
        h[r] = t[r] - time[r];
        here[r] = t[r] == time[r];
        ahead[r] = !here[r];
        good[r] = here[r];
      }
    }
    if (!none(here)) {
      copy(x, out, here);
    }
    if (none(ahead)) {
      return good;
    }
    double[] err = whole.sideStep(scheme, law, x, out, layersNow(ahead), h);
    for (int r = 0; r < replicas; r++) {
      good[r] |= ahead[r] && err[r] <= 1;
    }
    retract(out, ahead);
    return good;
  }

  /** Slope 2, which dense output uses. */
  @Override
  public Field lend(boolean[] which) {
    for (int r = 0; r < replicas; r++) {
      held[r] &= !which[r];
    }
    return k[2];
  }

  @Override
  public void velocities(Layer[] layers, boolean[] which, Field out) {
    whole.slope(scheme, x, layers, which, out);
  }

  // --- saving ---

  /** As {@link DormandPrince} does, which may have to go on, or may have come before. */
  @Override
  void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(size[r]);
    out.writeDouble(errorMemory[r]);
    out.writeBoolean(justRejected[r]);
    out.writeBoolean(lastNonFinite[r]);
    DormandPrince.Slope known = retracting ? DormandPrince.Slope.NOWHERE : DormandPrince.Slope.LAST;
    out.writeByte((justRejected[r] ? DormandPrince.Slope.FIRST : known).ordinal());
  }

  @Override
  void restoreOwn(int r, DataInputStream in) throws IOException {
    size[r] = rounded(in.readDouble());
    errorMemory[r] = in.readDouble();
    justRejected[r] = in.readBoolean();
    lastNonFinite[r] = in.readBoolean();
    in.readByte();
  }
}
