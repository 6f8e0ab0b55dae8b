package org.starling.core.engine;

/**
 * A condition on a state that somebody waits for. An engine that makes many steps at a time ends
 * those of a replica where one may hold, after a number of steps that is a multiple of {@code
 * every}. It may end them a little too soon, never too late: whoever waits judges the state by
 * {@link Observations}.
 *
 * @param kind what is looked at
 * @param threshold of {@link Observations#clusters}, or a distance &gt; 0
 * @param most clusters at most; not read where distances to the first token are looked at
 * @param every steps between two looks, &gt;= 1
 */
public record Watch(Kind kind, double threshold, int most, int every) {
  /** What a watch looks at. */
  public enum Kind {
    /** At most so many clusters linked by a cosine above the threshold. */
    COSINE_CLUSTERS,
    /** At most so many clusters linked by a distance below the threshold. */
    DISTANCE_CLUSTERS,
    /** All tokens nearer to the first one than the threshold. */
    NEAR_FIRST
  }

  public Watch {
    if (most < 1 || every < 1) {
      throw new IllegalArgumentException(
          "a watch needs at least 1 cluster and 1 step, got " + most + " and " + every);
    }
  }
}
