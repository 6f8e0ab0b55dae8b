package org.starling.core.engine;

import java.util.Map;
import org.starling.core.model.Philox;

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

  /**
   * The random words of a token's first {@code pairs} pairs of coordinates as the kernel that adds
   * noise makes them, {@code [pairs][4]}: {@link Philox#words} bit by bit, or the device's integers
   * are at fault.
   */
  int[] randomWords(Philox stream, long step, int token, int pairs);
}
