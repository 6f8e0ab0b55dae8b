package org.starling.core.integrate;

/**
 * How a run, or one replica of it, ended: an enumeration with a sentence, not a stack trace.
 *
 * @param kind what happened
 * @param sentence one sentence for a person, with the numbers
 * @param replica replica concerned, or -1 for all
 * @param time time reached
 * @param step accepted steps so far
 * @param token token concerned, or -1
 */
public record Outcome(Kind kind, String sentence, int replica, double time, long step, int token) {

  /** Kinds of ending, with the exit code each leads to. */
  public enum Kind {
    COMPLETED(0),
    STOP_CONDITION(0),
    RESOLUTION_HORIZON(4),
    STEP_UNDERFLOW(4),
    STEP_LIMIT(4),
    NON_FINITE(4),
    DRIFT(4),
    DEVICE_FAILURE(3),
    INTERRUPTED(75),
    WALLTIME(75);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    public int exitCode() {
      return exitCode;
    }

    /** Name in files: lower case with hyphens. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }
}
