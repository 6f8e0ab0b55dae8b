package org.starling.core.verify;

import java.util.Locale;

/**
 * What {@link ToleranceRule} found.
 *
 * @param compared tokens whose error relative to their own speed was taken
 * @param belowRange tokens clearly slower than the precision can hold, not compared
 * @param borderline tokens within a factor 2 of that limit, not compared; an engine may count them
 *     as below range or not
 * @param aboveRange tokens faster than the largest number of the precision, not compared
 * @param ties hardmax rows within rounding of a tie, not compared
 * @param medianError median over compared tokens of (err - slack)+ / own speed
 * @param allowedMedianError its cap
 * @param worstError largest (err - slack)+ / own speed; for information
 * @param medianShare median of err / cap
 * @param allowedMedianShare at most 1, less where the yardstick is better
 * @param worstShare largest err / cap; NaN where something was NaN
 * @param allowedWorstShare at most 1, less where the yardstick is better
 * @param worstSample state with the largest share, or -1 if there were no rows
 * @param worstRow its row in that state, or -1
 */
public record Verdict(
    int compared,
    int belowRange,
    int borderline,
    int aboveRange,
    int ties,
    double medianError,
    double allowedMedianError,
    double worstError,
    double medianShare,
    double allowedMedianShare,
    double worstShare,
    double allowedWorstShare,
    int worstSample,
    int worstRow) {

  public boolean passed() {
    return medianError <= allowedMedianError
        && medianShare <= allowedMedianShare
        && worstShare <= allowedWorstShare;
  }

  /** Whether an engine's count of tokens below range is right. */
  public boolean agreesOnBelowRange(long counted) {
    return counted >= belowRange && counted <= (long) belowRange + borderline;
  }

  /** The numbers in one line for a person. */
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "%d tokens compared (%d below range, %d above it, %d ties left out): median error %.1e of the own speed"
            + " (allowed %.0e), median share of the cap %.3g (allowed %.3g), worst share %.3g"
            + " (allowed %.3g) at row %d of state %d",
        compared,
        belowRange + borderline,
        aboveRange,
        ties,
        medianError,
        allowedMedianError,
        medianShare,
        allowedMedianShare,
        worstShare,
        allowedWorstShare,
        worstRow,
        worstSample);
  }
}
