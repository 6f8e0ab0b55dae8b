package org.starling.core.engine;

import java.util.List;
import org.starling.core.model.Layer;

/**
 * Whole steps of small replicas, many replicas and many steps in a launch, on an engine that offers
 * them ({@link Engine#wholeSteps}). They are what {@link Engine#velocity}, {@link Engine#combine},
 * {@link Engine#retract} and {@link Engine#errorNorm} compute together, within the same tolerances,
 * though not the same bits. The bits of a replica depend on its own state, layer, scheme and step
 * sizes only: not on how many steps a call makes, nor on the other replicas.
 */
public interface WholeSteps {
  /**
   * Whether it makes such steps, and faster than the single operations do. A function of the
   * arguments and the precision, never of a state or a clock, for it decides the bits of a run.
   */
  boolean accepts(RungeKutta scheme, Shape shape, List<Layer> layers);

  /**
   * Makes up to {@code most[r]} steps of {@code size[r]} in every replica; fewer where the call
   * would take long or a watch may hold, but at least one in some replica. A step to a state that
   * is not finite is not made and ends the replica's steps.
   *
   * @param x states to advance, in place
   * @param previous receives the state from which the last step made began, for each replica that
   *     makes one; null if it is not wanted
   * @param layers one per replica; those without a step are not read
   */
  Progress advance(
      RungeKutta scheme,
      State x,
      State previous,
      Layer[] layers,
      double[] size,
      int[] most,
      Watching watching);

  /**
   * Attempts steps of an {@link RungeKutta#adaptive} scheme in every replica with {@code
   * limits.attempts()[r] > 0}: the first one in any case, further ones as {@code limits} allow and
   * until the call would take long or a watch may hold, but some in some replica. Where the last
   * attempt was accepted, {@code end} and {@code slopes} lead to the states within that step.
   *
   * @param x states to advance, in place
   * @param end receives the new states as they were before they were put back on the sphere
   * @param slopes receive slope 0, the last slope, then slopes 2 and so on
   * @param clocks times, step sizes and what decides the next ones; advanced in place
   */
  Attempts adapt(
      RungeKutta scheme,
      StepLaw law,
      State x,
      State end,
      Field[] slopes,
      Layer[] layers,
      Clocks clocks,
      Limits limits,
      Watching watching);

  /**
   * One step of any size, into {@code out}, not put back on the sphere; x stays.
   *
   * @param size per replica; those of size 0 are left alone
   * @return per replica the error in units of the tolerance; NaN if it is not finite, 0 if size is
   */
  double[] sideStep(
      RungeKutta scheme, StepLaw law, State x, State out, Layer[] layers, double[] size);

  /**
   * {@link Engine#velocity} (or {@link Engine#attend}, for a {@link RungeKutta#raw} scheme) by the
   * code that makes the steps. Adds to the {@link Engine#takeReport report}.
   */
  void slope(RungeKutta scheme, State x, Layer[] layers, boolean[] active, Field out);

  /**
   * What {@link #advance} did, an entry per replica.
   *
   * @param steps steps made
   * @param nonFinite first token that would have become non-finite in the step after those; -1 if
   *     there is none
   * @param motion largest |h v_i| / |x_i| over tokens i, in the first slope of the last step made
   * @param report what the evaluations of all slopes reported
   */
  record Progress(int[] steps, int[] nonFinite, double[] motion, FieldReport report) {}

  /**
   * Conditions that steps stop at.
   *
   * @param watches the conditions; they may be none
   * @param steps per replica, those made before
   */
  record Watching(List<Watch> watches, long[] steps) {
    public static final Watching NOTHING = new Watching(List.of(), new long[0]);
  }

  /**
   * Where every replica stands in time, an entry per replica; times are float64 on every device,
   * step sizes numbers of the working precision.
   *
   * @param time time of the state
   * @param previous where the last accepted step began
   * @param size next step
   * @param memory error that the next choice remembers
   * @param refused whether the last attempt was rejected
   * @param lost whether it was because its error is not finite
   * @param stuck steps of {@link StepLaw#stuck} so far
   * @param counted whether the first slope was reported before
   */
  record Clocks(
      double[] time,
      double[] previous,
      double[] size,
      double[] memory,
      boolean[] refused,
      boolean[] lost,
      int[] stuck,
      boolean[] counted) {}

  /**
   * How far steps may go.
   *
   * @param attempts per replica, at most
   * @param steps accepted ones per replica, at most
   * @param reach no attempt from this time on
   * @param before after the first attempt none to this time or beyond, or near to it
   */
  record Limits(int[] attempts, int[] steps, double reach, double before) {}

  /**
   * What {@link #adapt} did, an entry per replica.
   *
   * @param accepted steps made
   * @param rejected attempts that were not accepted
   * @param badToken first token whose velocity at the state is not finite, which ends the attempts;
   *     -1 if there is none
   * @param motion as in {@link Progress}, of the last accepted step
   * @param report what the evaluations of all slopes reported
   */
  record Attempts(
      int[] accepted, int[] rejected, int[] badToken, double[] motion, FieldReport report) {}
}
