package org.starling.core.engine;

import java.util.List;
import org.starling.core.model.Layer;

/**
 * Whole steps of small replicas, many replicas and many steps in a launch, on an engine that offers
 * them ({@link Engine#wholeSteps}). They are what {@link Engine#velocity}, {@link Engine#combine}
 * and {@link Engine#retract} compute together, within the same tolerances, though not the same
 * bits. The bits of a replica depend on its own state, layer, scheme and step sizes only: not on
 * how many steps a call makes, nor on the other replicas.
 */
public interface WholeSteps {
  /**
   * Whether it makes such steps, and faster than the single operations do. A function of the
   * arguments and the precision, never of a state or a clock, for it decides the bits of a run.
   */
  boolean accepts(RungeKutta scheme, Shape shape, List<Layer> layers);

  /**
   * Makes up to {@code most[r]} steps of {@code size[r]} in every replica; fewer where the call
   * would take long, but at least one in some replica. A step to a state that is not finite is not
   * made and ends the replica's steps.
   *
   * @param x states to advance, in place
   * @param previous receives the state from which the last step made began, for each replica that
   *     makes one; null if it is not wanted
   * @param layers one per replica; those without a step are not read
   */
  Progress advance(
      RungeKutta scheme, State x, State previous, Layer[] layers, double[] size, int[] most);

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
}
