package org.starling.core.engine;

import java.util.Map;

/**
 * Implemented by an engine whose kernels use the device's own elementary functions, so that the
 * verifier can measure what they are worth.
 */
public interface NativeFunctions {
  /**
   * Worst relative error of each function used, by name ({@code exp}, {@code sqrt}, ...), measured
   * on the device over a ladder of the arguments that occur, against float64.
   */
  Map<String, Double> worstRelativeErrors();
}
