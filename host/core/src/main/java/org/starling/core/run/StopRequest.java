package org.starling.core.run;

/** A flag by which a signal handler asks a run to stop at the next accepted step. */
public final class StopRequest {
  private volatile String reason;

  /**
   * Asks for a stop.
   *
   * @param why for the outcome's sentence, e.g. {@code SIGTERM}
   */
  public void stop(String why) {
    reason = why;
  }

  /** Why a stop was asked for; null if it was not. */
  public String reason() {
    return reason;
  }
}
