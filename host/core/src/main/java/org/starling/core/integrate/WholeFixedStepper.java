package org.starling.core.integrate;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;

/**
 * Methods with a fixed step on an engine that makes whole steps. Output between step ends is a
 * shortened step of the same method, for all methods.
 */
final class WholeFixedStepper extends EqualStepper {
  /** Most steps that are looked ahead at a time. */
  private static final int MOST = 4096;

  private final WholeSteps whole;
  private final RungeKutta scheme;

  /** Made when somebody borrows it. */
  private Field lent;

  WholeFixedStepper(
      IntegratorSpec spec,
      Engine engine,
      WholeSteps whole,
      RungeKutta scheme,
      Dynamics[] dynamics,
      State x) {
    super(spec, engine, dynamics, x);
    this.whole = whole;
    this.scheme = scheme;
  }

  /** As many passes as the replica with most of them has needed. */
  @Override
  public long evaluations() {
    long most = 0;
    for (int r = 0; r < replicas; r++) {
      boolean failed = failure(r) != null && failure(r).kind() == Outcome.Kind.NON_FINITE;
      most = Math.max(most, steps(r) + (failed ? 1 : 0));
    }
    return most * scheme.stages();
  }

  @Override
  public void attempt(boolean[] active) {
    make(begin(active), null);
  }

  @Override
  public void advance(boolean[] active, Pause pause) {
    make(begin(active), pause);
  }

  /**
   * @param pause null for one step
   */
  private void make(boolean[] batch, Pause pause) {
    if (none(batch)) {
      return;
    }
    int[] most = new int[replicas];
    double[] h = new double[replicas];
    int last = -1;
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      h[r] = size(r);
      if (pause == null) {
        most[r] = 1;
      } else if (last >= 0 && sameClock(r, last)) {
        most[r] = most[last];
      } else {
        most[r] = stepsUntil(r, MOST, pause);
        last = r;
      }
    }
    WholeSteps.Progress made =
        whole.advance(scheme, x, old, layersNow(batch), h, most, watching(pause));
    note(made.report());
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      if (made.steps()[r] > 0) {
        moved[r] = true;
        int steps = made.steps()[r];
        double from = steps == 1 ? time[r] : target(r, count[r] + steps - 1);
        double to = target(r, count[r] + steps);
        count[r] += steps;
        accept(r, steps, from, to);
      }
      if (made.nonFinite()[r] >= 0) {
        failNonFinite(r, made.nonFinite()[r], target(r));
      }
    }
    watchResolution(moved, h, made.motion());
  }

  private boolean sameClock(int r, int q) {
    return start[r] == start[q]
        && count[r] == count[q]
        && time[r] == time[q]
        && barrier(r) == barrier(q)
        && steps(r) == steps(q);
  }

  /** A token that leaves the finite numbers is left there. */
  @Override
  void shortened(
      State base, double[] from, double[] to, double[] h, int ago, boolean[] which, State out) {
    if (none(which)) {
      return;
    }
    copy(base, out, which);
    int[] once = new int[replicas];
    for (int r = 0; r < replicas; r++) {
      once[r] = which[r] && h[r] > 0 ? 1 : 0;
    }
    while (Arrays.stream(once).anyMatch(c -> c > 0)) {
      WholeSteps.Progress made =
          whole.advance(scheme, out, null, layersNow(which), h, once, WholeSteps.Watching.NOTHING);
      for (int r = 0; r < replicas; r++) {
        once[r] -= made.nonFinite()[r] >= 0 ? once[r] : made.steps()[r];
      }
    }
  }

  @Override
  public Field lend(boolean[] which) {
    if (lent == null) {
      lent = arrays.field();
    }
    return lent;
  }

  @Override
  public void velocities(Layer[] layers, boolean[] which, Field out) {
    whole.slope(scheme.ofVelocity(), x, layers, which, out);
  }
}
