package org.starling.core.verify;

/**
 * The error of one operation in one situation, beside what is allowed.
 *
 * @param operation what was computed: {@code velocity sphere}, {@code combine}, {@code energy}, ...
 * @param variant certificate line that this belongs to
 * @param d dimension
 * @param beta inverse temperature, NaN where it plays no role
 * @param n number of tokens
 * @param state kind of positions
 * @param median median error, relative as the operation's contract says
 * @param worst worst error
 * @param allowed what the worst error may be
 * @param passed whether every part of the rule holds; false for NaN
 * @param remark which part of the rule failed, or a fact worth knowing; may be empty
 */
public record Measurement(
    String operation,
    String variant,
    int d,
    double beta,
    int n,
    String state,
    double median,
    double worst,
    double allowed,
    boolean passed,
    String remark) {
  /**
   * Errors on random positions of an operation in which beta plays no role.
   *
   * @param defect what else is wrong; may be empty
   */
  static Measurement ofRandom(
      String operation, String variant, int n, int d, Sample s, double allowed, String defect) {
    boolean passed = s.worst() <= allowed && defect.isEmpty();
    String remark = !defect.isEmpty() ? defect : passed ? "" : "error above what is allowed";
    return new Measurement(
        operation,
        variant,
        d,
        Double.NaN,
        n,
        "random",
        s.median(),
        s.worst(),
        allowed,
        passed,
        remark);
  }

  /** The same as part of another certificate line. */
  Measurement on(String line) {
    return new Measurement(
        operation, line, d, beta, n, state, median, worst, allowed, passed, remark);
  }
}
