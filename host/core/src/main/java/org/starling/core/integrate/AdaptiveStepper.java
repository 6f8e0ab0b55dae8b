package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;

/**
 * What Dormand and Prince's method keeps from step to step, whoever makes the steps: the host, one
 * attempt at a time, or the engine. A run that one of them began the other one goes on with.
 */
abstract class AdaptiveStepper extends Stepper {
  /** Where the slope at the accepted state stands. */
  enum Slope {
    NOWHERE,
    /** In its place: the last attempt from this state was rejected. */
    FIRST,
    /** In the place of the last slope of the accepted step. */
    LAST
  }

  final double[] size;
  final double[] errorMemory;
  final boolean[] justRejected;
  final boolean[] lastNonFinite;
  final boolean retracting;

  /** After an attempt: the unretracted new state, from which dense output leads back. */
  final State stage;

  /** Slopes 0..5; slope 6 stands in place of slope 1. */
  final Field[] k = new Field[6];

  AdaptiveStepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec, engine, dynamics, x);
    retracting = dynamics[0].geometry() == Geometry.SPHERE;
    size = new double[replicas];
    errorMemory = new double[replicas];
    justRejected = new boolean[replicas];
    lastNonFinite = new boolean[replicas];
    Arrays.fill(size, spec.firstStep());
    Arrays.fill(errorMemory, StepControl.ERROR_FLOOR);
    try {
      stage = arrays.state();
      for (int m = 0; m < k.length; m++) {
        k[m] = arrays.field();
      }
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
  }

  // --- step sizes ---

  /** Gives replicas without a step size their first one. */
  abstract void chooseFirstSteps();

  @Override
  final double trial(int r) {
    chooseFirstSteps();
    return size[r];
  }

  // --- ends ---

  /**
   * Why replica r ends, its step having fallen to its size.
   *
   * @param fastest the fastest token
   */
  final Outcome underflow(int r, Engine.Extreme fastest) {
    if (lastNonFinite[r]) {
      return outcome(
          r,
          Outcome.Kind.NON_FINITE,
          fastest.token(),
          "no step from t = %.6g stays finite, however small (last tried %.3g); token %d moves"
              + " fastest, with speed %.3g",
          time[r],
          size[r],
          fastest.token(),
          fastest.value());
    }
    return outcome(
        r,
        Outcome.Kind.STEP_UNDERFLOW,
        fastest.token(),
        "the step fell to %.3g at t = %.6g, below the smallest possible %.3g, without meeting rtol"
            + " %.3g and atol %.3g; token %d moves fastest, with speed %.3g. Loosen rtol and atol,"
            + " or use a higher precision or a fixed step",
        size[r],
        time[r],
        floor(r),
        spec.rtol(),
        spec.atol(),
        fastest.token(),
        fastest.value());
  }

  final void failNonFinite(int r, int token) {
    fail(
        r,
        Outcome.Kind.NON_FINITE,
        token,
        "the velocity of token %d is not finite at t = %.6g (step %d)",
        token,
        time[r],
        steps(r));
  }

  // --- output ---

  /** The slopes of {@link Tableau#USED}. */
  final Field[] used() {
    return new Field[] {k[0], k[2], k[3], k[4], k[5], k[1]};
  }

  @Override
  public final void interpolate(double[] t, boolean[] which, State out) {
    DenseOutput.write(this, stage, used(), t, which, out);
  }

  /** Unretracted states of steps of size h[r] to t[r]; returns their errors. */
  abstract double[] aside(double[] t, double[] h, boolean[] ahead, State out);

  @Override
  public final boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    boolean[] ahead = ahead(t, which, h, out);
    boolean[] good = which.clone();
    if (none(ahead)) {
      return good;
    }
    double[] err = aside(t, h, ahead, out);
    for (int r = 0; r < replicas; r++) {
      good[r] &= !ahead[r] || err[r] <= 1;
    }
    retract(out, ahead);
    return good;
  }

  /**
   * Slope 2: dense output uses it, the next attempt does not, whether it finds its first slope in
   * place 0 or in place 1.
   */
  @Override
  public final Field lend(boolean[] which) {
    for (int r = 0; r < replicas; r++) {
      held[r] &= !which[r];
    }
    return k[2];
  }

  // --- saving ---

  /** Where the slope at the state of replica r stands. */
  abstract Slope known(int r);

  /** After a restore; the slopes themselves are not saved. */
  abstract void restored(int r, Slope slope);

  @Override
  final void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(size[r]);
    out.writeDouble(errorMemory[r]);
    out.writeBoolean(justRejected[r]);
    out.writeBoolean(lastNonFinite[r]);
    out.writeByte(known(r).ordinal());
  }

  @Override
  final void restoreOwn(int r, DataInputStream in) throws IOException {
    size[r] = in.readDouble();
    errorMemory[r] = in.readDouble();
    justRejected[r] = in.readBoolean();
    lastNonFinite[r] = in.readBoolean();
    restored(r, Slope.values()[in.readByte()]);
  }
}
