package org.starling.core.run;

import java.util.Arrays;
import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Outcome;

/**
 * Ends replicas that would not reach the end time in any number of steps that a run may make: their
 * steps are tiny, accepted, and do not grow. What it remembers is of this session alone, so that a
 * run that is resumed after such an end gets as far again before it ends again.
 */
final class PaceWatch {
  /** Attempts over which the pace is taken. */
  private static final long WINDOW = 4096;

  /** A run is hopeless that would need so many times the step limit. */
  private static final double BEYOND = 3;

  /** A pace that has grown by this factor since the last window may go on growing. */
  private static final double RISING = 2;

  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final Frame frame;
  private final Replica[] replicas;
  private final long[] attempts;
  private final double[] since;

  /** Time gained in the last whole window; NaN before the first. */
  private final double[] gained;

  PaceWatch(RunSpec spec, Engine engine, Integrator integrator, Frame frame, Replica[] replicas) {
    this.spec = spec;
    this.engine = engine;
    this.integrator = integrator;
    this.frame = frame;
    this.replicas = replicas;
    attempts = new long[replicas.length];
    since = new double[replicas.length];
    gained = new double[replicas.length];
    Arrays.fill(gained, Double.NaN);
    for (int r = 0; r < replicas.length; r++) {
      begin(r);
    }
  }

  private void begin(int r) {
    attempts[r] = made(r);
    since[r] = integrator.time(r);
  }

  private long made(int r) {
    return integrator.steps(r) + integrator.rejected(r);
  }

  /** Looks at running replicas that have made a window's attempts since the last look. */
  void look() {
    for (int r = 0; r < replicas.length; r++) {
      long tried = made(r) - attempts[r];
      if (!replicas[r].running() || tried < WINDOW) {
        continue;
      }
      double pace = (integrator.time(r) - since[r]) / tried;
      double before = gained[r];
      gained[r] = pace;
      begin(r);
      double needed = (spec.tEnd() - integrator.time(r)) / pace;
      long limit = Math.max(spec.integrator().maxSteps(), IntegratorSpec.DEFAULT_MAX_STEPS);
      if (needed > BEYOND * limit && pace < RISING * before) {
        replicas[r].outcome = hopeless(r, pace, needed);
      }
    }
  }

  private Outcome hopeless(int r, double pace, double needed) {
    boolean[] only = new boolean[replicas.length];
    only[r] = true;
    double[] t = new double[replicas.length];
    for (int k = 0; k < t.length; k++) {
      t[k] = integrator.time(k);
    }
    Field v = integrator.lend(only);
    integrator.velocities(integrator.evaluated(frame.layers(t)), only, v);
    Engine.Extreme fastest = engine.largest(v, only)[r];
    String todo =
        spec.integrator().method().adaptive()
            ? "The system is too stiff for "
                + spec.integrator().method().label()
                + " here, or rtol and atol are below what the precision resolves: loosen them, use a"
                + " higher precision, or a lower beta, or normalisation softmax, or an earlier end"
            : "Use a larger dt, or an earlier end";
    return new Outcome(
        Outcome.Kind.STEP_LIMIT,
        String.format(
            Locale.ROOT,
            "%s progress at t = %.6g: after %d attempts the steps (%.3g on average) do not grow, and"
                + " the end t = %.6g is %.3g of them away; token %d moves fastest, with speed %.3g. %s.",
            replicas.length == 1 ? "No" : Endings.who(r, replicas.length) + "no",
            integrator.time(r),
            made(r),
            pace,
            spec.tEnd(),
            needed,
            fastest.token(),
            fastest.value(),
            todo),
        r,
        integrator.time(r),
        integrator.steps(r),
        fastest.token());
  }
}
