package org.starling.core.experiment;

/**
 * One thing that is wrong with an experiment.
 *
 * @param at where
 * @param message what is wrong and what would be right
 */
public record Problem(Position at, String message) {
  @Override
  public String toString() {
    return at + ": " + message;
  }
}
