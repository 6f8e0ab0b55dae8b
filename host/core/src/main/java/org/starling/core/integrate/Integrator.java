package org.starling.core.integrate;

import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/**
 * Advances R replicas over an engine. Every replica has its own time, step and fate. Steps are
 * never clipped to output, stop or checkpoint times (only to switches of per-layer weights, which
 * belong to the dynamics): output between steps comes from {@link #interpolate}.
 */
public interface Integrator extends AutoCloseable {
  /**
   * The last accepted state of all replicas; owned by the integrator, valid until the next attempt.
   */
  State state();

  /** Time of replica r's last accepted state. */
  double time(int r);

  /**
   * Time at which replica r's last accepted step began (equal to {@link #time} before the first).
   */
  double previousTime(int r);

  /** Size of the step that replica r will try next; 0 where it cannot go on. */
  double stepSize(int r);

  /** Accepted steps of replica r. */
  long steps(int r);

  /** Rejected attempts of replica r. */
  long rejected(int r);

  /**
   * Attention passes made by {@link #attempt} so far, all replicas together in one pass counting
   * once. Passes for output do not count, so that the number is the same with and without them.
   */
  long evaluations();

  /**
   * Tries one step for every active replica: accepted ones move on, rejected ones keep their state
   * and take a smaller step next time. Replicas with a {@link #failure} must not be active.
   */
  void attempt(boolean[] active);

  /**
   * Makes steps for every active replica as repeated calls of {@link #attempt} would, with the same
   * bits, where many at once are cheaper: any number of them, at least one, that leads no replica
   * beyond its pause and takes a fraction of a second. An active replica must be allowed to make
   * one step.
   */
  default void advance(boolean[] active, Pause pause) {
    attempt(active);
  }

  /**
   * Whether a step of replica r was accepted in the last {@link #attempt} or {@link #advance}. A
   * step to a state that is not finite is not.
   */
  boolean accepted(int r);

  /**
   * Why replica r cannot go on, or null. A replica that has reached the end of what can be computed
   * (the last layer that has weights, the resolution horizon, the step limit) fails only when a
   * further step is attempted.
   */
  Outcome failure(int r);

  /**
   * What the velocity evaluations of {@link #attempt} reported since the last call of this method.
   */
  FieldReport takeReport();

  /**
   * A sentence of advice that arose since the last call, or null: for instance that float32 steps
   * have fallen below the resolution of the state. Never decides any bits.
   */
  String takeHint();

  /**
   * Positions at t[r], previousTime(r) &lt;= t[r] &lt;= time(r), by dense output, retracted on the
   * sphere; changes neither the integrator nor its later bits. At time(r) it is the state itself,
   * bit for bit.
   *
   * @throws IllegalStateException if the step that ended at time(r) is no longer held: after a
   *     rejected attempt, a side step or a restore; time(r) itself can always be asked for
   */
  void interpolate(double[] t, boolean[] which, State out);

  /**
   * One shortened step from the last accepted state to t[r], time(r) &lt;= t[r] and not beyond the
   * end of the current layer, into {@code out}; changes neither the integrator nor its later bits,
   * but ends the use of {@link #interpolate} for these replicas until their next accepted step.
   * Returns per replica whether its error estimate (if the method has one) was acceptable.
   */
  boolean[] sideStep(double[] t, boolean[] which, State out);

  /**
   * A field of the integrator's own, so that a look at a state needs no further memory: its rows of
   * these replicas may be overwritten until the next {@link #attempt}, {@link #interpolate} or
   * {@link #sideStep}, the other rows must be left alone. Changes neither the integrator nor its
   * later bits. A method that keeps its slopes for dense output (an {@link Method#adaptive} one)
   * gives up one of them: that ends the use of {@link #interpolate} for these replicas until their
   * next accepted step, {@code time(r)} itself excepted.
   */
  Field lend(boolean[] which);

  /**
   * The layers as {@link #attempt} evaluates them: with the tokens that stand together as keys now.
   *
   * @param layers of the dynamics, one per replica
   */
  default Layer[] evaluated(Layer[] layers) {
    return layers;
  }

  /**
   * What merging has done to replica r up to its last accepted state; null where nothing is merged
   * by request.
   */
  default Merging.Effect merging(int r) {
    return null;
  }

  /**
   * Velocities at the last accepted states of these replicas, by the code that makes the steps;
   * changes neither the integrator nor its later bits.
   *
   * @param layers layer in force at each replica's time
   */
  void velocities(Layer[] layers, boolean[] which, Field out);

  /** Everything but the state that decides the later bits: times, step sizes, errors, counters. */
  byte[] save();

  /** Restores what {@link #save} gave; the {@link #state} is restored apart, through the engine. */
  void restore(byte[] saved);

  @Override
  void close();
}
