package org.starling.analysis.cluster;

/**
 * The life of one cluster through the frames of a series.
 *
 * @param id number of the track, in order of birth
 * @param birth time of the first frame that has it
 * @param last time of the last frame that has it
 * @param end time of the first frame without it; NaN where it lives in the last frame
 * @param mergedInto id of the track that took it over; -1 where it lives in the last frame
 * @param splitFrom id of the track it broke off from; -1 for the clusters of the first frame
 * @param tokens its tokens in its last frame, ascending
 */
public record Track(
    int id, double birth, double last, double end, int mergedInto, int splitFrom, int[] tokens) {

  /** Whether it lives in the last frame, so that its lifetime is a lower bound. */
  public boolean alive() {
    return mergedInto < 0;
  }

  /** From birth to merge; for one that is alive, to the last frame: a lower bound. */
  public double lifetime() {
    return (alive() ? last : end) - birth;
  }
}
