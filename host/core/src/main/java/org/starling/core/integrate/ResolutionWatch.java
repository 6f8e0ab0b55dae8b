package org.starling.core.integrate;

import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Precision;

/** Advises, once, when a float32 state is no longer moved by its steps. Decides no bits. */
final class ResolutionWatch {
  /** Steps between two looks. */
  private static final int INTERVAL = 64;

  /** Part of |x| that a step must move a token by: below it rounding takes most of it away. */
  static double resolved(Precision precision) {
    return switch (precision) {
      case SINGLE -> 0x1p-25;
      case MIXED -> 0x1p-49;
      case DOUBLE -> 0x1p-54;
    };
  }

  private String hint;
  private boolean hinted;

  /**
   * Looks at the replicas that have moved, every {@link #INTERVAL} of their steps.
   *
   * @param h steps made
   * @param v their velocities
   */
  void look(
      Engine engine, State x, boolean[] moved, long[] steps, double[] time, double[] h, Field v) {
    if (hinted || engine.precision() != Precision.SINGLE) {
      return;
    }
    boolean[] due = new boolean[moved.length];
    for (int r = 0; r < due.length; r++) {
      due[r] = moved[r] && steps[r] % INTERVAL == 0;
    }
    if (Stepper.none(due)) {
      return;
    }
    look(engine.precision(), due, time, h, motion(engine, x, due, h, v));
  }

  /** The largest |h v_i| / |x_i| of each replica. */
  static double[] motion(Engine engine, State x, boolean[] which, double[] h, Field v) {
    // The absolute part only keeps 0/0 away.
    return engine.errorNorm(x, x, new double[][] {h}, new Field[] {v}, Float.MIN_NORMAL, 1, which);
  }

  /**
   * Judges motions that are known.
   *
   * @param motion largest |h v_i| / |x_i| of each replica
   */
  void look(Precision precision, boolean[] due, double[] time, double[] h, double[] motion) {
    if (hinted || precision != Precision.SINGLE) {
      return;
    }
    for (int r = 0; r < due.length; r++) {
      if (due[r] && motion[r] > 0 && motion[r] < resolved(precision) && !hinted) {
        hinted = true;
        hint =
            String.format(
                Locale.ROOT,
                "At t = %.6g every token moves by less than float32 can resolve in a step (at most"
                    + " %.2g of its norm in %.3g): what stands still may be frozen by rounding. Use"
                    + " precision mixed or double.",
                time[r],
                motion[r],
                h[r]);
      }
    }
  }

  String take() {
    String taken = hint;
    hint = null;
    return taken;
  }
}
