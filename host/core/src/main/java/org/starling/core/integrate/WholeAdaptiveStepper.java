package org.starling.core.integrate;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.State;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/**
 * Dormand and Prince 5(4) on an engine that makes whole steps: what {@link DormandPrince} does,
 * with errors judged and step sizes chosen where the steps are made. Times are float64 as there;
 * step sizes are numbers of the working precision, since the engine may know no wider ones.
 */
final class WholeAdaptiveStepper extends AdaptiveStepper {
  /** Most attempts that are looked ahead at a time. */
  private static final int MOST = 4096;

  private final WholeSteps whole;
  private final RungeKutta scheme;
  private final StepLaw law;
  private final int[] stuck;

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
    stuck = new int[replicas];
    Arrays.fill(size, rounded(spec.firstStep()));
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
  double target(int r) {
    return tooSmall(r) ? time[r] : time[r] + trial(r);
  }

  /** Whether rejections have led out of the range of the engine's numbers. */
  private boolean tooSmall(int r) {
    double least = engine.precision() == Precision.DOUBLE ? Double.MIN_NORMAL : Float.MIN_NORMAL;
    return trial(r) < least;
  }

  @Override
  void chooseFirstSteps() {
    boolean[] which = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      which[r] = size[r] == 0 && steps(r) + rejected(r) == 0;
    }
    if (none(which)) {
      return;
    }
    double[] chosen = FirstStep.choose(this, which, stage, k[0], k[1]);
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
    return underflow(r, engine.largest(k[0], only)[r]);
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
            stage,
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
  double[] aside(double[] t, double[] h, boolean[] ahead, State out) {
    return whole.sideStep(scheme, law, x, out, layersNow(ahead), h);
  }

  @Override
  public void velocities(Layer[] layers, boolean[] which, Field out) {
    whole.slope(scheme, x, layers, which, out);
  }

  // --- saving ---

  @Override
  Slope known(int r) {
    if (justRejected[r]) {
      return Slope.FIRST;
    }
    return retracting ? Slope.NOWHERE : Slope.LAST;
  }

  /** The run may have been one of {@link DormandPrince}, whose steps are of float64. */
  @Override
  void restored(int r, Slope saved) {
    size[r] = rounded(size[r]);
  }
}
