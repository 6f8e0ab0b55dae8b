package org.starling.core.paths;

/** Which query of the last layer's attention the output reads. */
public enum Readout {
  LAST_TOKEN,
  FIRST_TOKEN,
  /** The mean over all queries. */
  AVERAGE_POOLING;

  /**
   * The one query that is read.
   *
   * @return -1 where all are
   */
  public int query(int tokens) {
    return this == LAST_TOKEN ? tokens - 1 : this == FIRST_TOKEN ? 0 : -1;
  }
}
