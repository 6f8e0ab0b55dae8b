package org.starling.core.run;

/**
 * How far a run is.
 *
 * @param t time that every replica has reached
 * @param tEnd end time
 * @param steps accepted steps of all replicas together
 * @param stepSize smallest next step of a running replica; 0 at the end
 * @param frames reports written
 * @param framesExpected reports in a run to the end
 * @param running replicas still going
 * @param stepsPerSecond rate over the last half minute of this session; 0 if not known yet
 * @param secondsLeft estimate from the same window; NaN if not known yet
 * @param outcome how the run ended; null while it runs
 */
public record Progress(
    double t,
    double tEnd,
    long steps,
    double stepSize,
    int frames,
    int framesExpected,
    int running,
    double stepsPerSecond,
    double secondsLeft,
    org.starling.core.integrate.Outcome outcome) {

  /** Part of the time that is done, 0 to 1. */
  public double fraction() {
    return t / tEnd;
  }
}
