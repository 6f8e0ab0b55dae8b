package org.starling.core.engine;

/** How sums over keys are to be formed. */
public enum Summation {
  /** By a series where the engine has one for the layer, its bound is good enough, and it pays. */
  AUTO,
  /** Pair by pair, always. */
  PAIRS,
  /** By a series; layers that have none are refused. */
  EXPANSION
}
