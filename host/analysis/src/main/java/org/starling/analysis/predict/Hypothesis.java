package org.starling.analysis.predict;

/**
 * One hypothesis of a statement, looked at.
 *
 * @param text what is asked
 * @param measured what the experiment has
 * @param answer whether that will do
 */
public record Hypothesis(String text, String measured, Answer answer) {

  /** Whether a hypothesis holds. */
  public enum Answer {
    HOLDS,
    FAILS,
    /** It cannot be told before the run. */
    OPEN
  }
}
