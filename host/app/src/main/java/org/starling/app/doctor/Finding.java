package org.starling.app.doctor;

/**
 * One line of the report.
 *
 * @param level how much it matters
 * @param subject what was looked at
 * @param text what was found
 * @param next what to do, or empty
 */
public record Finding(Level level, String subject, String text, String next) {
  /** How much a finding matters. */
  public enum Level {
    /** A fact. */
    INFO,
    /** Checked and fine. */
    OK,
    /** Something will not work, runs are possible all the same. */
    WARNING,
    /** Nothing can be computed. */
    ERROR
  }

  static Finding info(String subject, String text) {
    return new Finding(Level.INFO, subject, text, "");
  }

  static Finding ok(String subject, String text) {
    return new Finding(Level.OK, subject, text, "");
  }

  static Finding fault(Level level, String subject, EnvironmentFault fault, String detail) {
    String text = detail.isEmpty() ? fault.what() : fault.what() + " (" + detail + ")";
    return new Finding(level, subject, text, fault.next());
  }
}
