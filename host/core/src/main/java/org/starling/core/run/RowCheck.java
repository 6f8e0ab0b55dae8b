package org.starling.core.run;

import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** The comparison of a few rows with the definition during a run. */
public interface RowCheck {
  /** Accepted steps between two checks, &gt;= 1. */
  long everySteps();

  /** Velocities as the run computes them. */
  @FunctionalInterface
  interface Velocities {
    /** The velocities of these replicas' rows at the states that are checked. */
    void write(Layer[] layers, boolean[] which, Field out);
  }

  /**
   * Recomputes some rows.
   *
   * @param x the last accepted states
   * @param velocities what is to be checked
   * @param layers layer in force at each replica's time
   * @param active replicas to look at
   * @param scratch a field whose rows of these replicas may be overwritten; the others belong to
   *     somebody else
   * @param number number of the check, from 0: decides which rows are drawn
   * @return what is wrong; null if the rows agree within the rule
   */
  Finding check(
      Engine engine,
      State x,
      Velocities velocities,
      Layer[] layers,
      boolean[] active,
      Field scratch,
      long number);

  /**
   * How far the velocities of an engine that rounds keys and values were from those of unrounded
   * ones in the checks so far; empty where nothing is rounded or nothing was checked.
   */
  default Map<String, Object> storageError() {
    return Map.of();
  }

  /**
   * A row beyond the rule.
   *
   * @param token the worst token
   * @param sentence what was found, with numbers, without step and time
   */
  record Finding(int replica, int token, String sentence) {}
}
