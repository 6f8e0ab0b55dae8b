package org.starling.core.integrate;

import org.starling.core.engine.FieldReport;
import org.starling.core.engine.State;

/**
 * Advances R replicas over an engine. Every replica has its own time, step and fate. Steps are never
 * clipped to output, stop or checkpoint times (only to switches of per-layer weights, which belong
 * to the dynamics): output between steps comes from {@link #interpolate}.
 */
public interface Integrator extends AutoCloseable {
  /** The last accepted state of all replicas; owned by the integrator, valid until the next attempt. */
  State state();

  /** Time of replica r's last accepted state. */
  double time(int r);

  /** Time at which replica r's last accepted step began (equal to {@link #time} before the first). */
  double previousTime(int r);

  /** Size of the step that replica r will try next. */
  double stepSize(int r);

  /** Accepted steps of replica r. */
  long steps(int r);

  /** Rejected attempts of replica r. */
  long rejected(int r);

  /** Attention passes made so far, all replicas together in one pass counting once. */
  long evaluations();

  /**
   * Tries one step for every active replica: accepted ones move on, rejected ones keep their state
   * and take a smaller step next time. Replicas with a {@link #failure} must not be active.
   */
  void attempt(boolean[] active);

  /** Whether replica r's last attempt was accepted. */
  boolean accepted(int r);

  /** Why replica r cannot go on, or null. */
  Outcome failure(int r);

  /** What the velocity evaluations reported since the last call of this method. */
  FieldReport takeReport();

  /**
   * Positions at t[r], previousTime(r) &lt;= t[r] &lt;= time(r), by dense output, retracted on the
   * sphere; changes neither the integrator nor its later bits.
   */
  void interpolate(double[] t, boolean[] which, State out);

  /**
   * One shortened step from the last accepted state to t[r] &gt;= time(r), into {@code out}; changes
   * neither the integrator nor its later bits. Returns per replica whether its error estimate (if
   * the method has one) was acceptable.
   */
  boolean[] sideStep(double[] t, boolean[] which, State out);

  /** Everything but the state that decides the later bits: times, step sizes, errors, counters. */
  byte[] save();

  /** Restores what {@link #save} gave; the state is restored apart, through the engine. */
  void restore(byte[] saved);

  @Override
  void close();
}
