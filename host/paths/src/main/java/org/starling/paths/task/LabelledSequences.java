package org.starling.paths.task;

import org.starling.core.paths.Sequences;

/**
 * Examples of a task.
 *
 * @param inputs {@code [count][tokens][width]}
 * @param labels +1 or -1 for classes, any finite number for regression, {@code [count]}
 */
public record LabelledSequences(Sequences inputs, double[] labels) {
  public LabelledSequences {
    if (labels.length != inputs.count()) {
      throw new IllegalArgumentException(
          labels.length + " labels for " + inputs.count() + " examples");
    }
  }

  public int count() {
    return labels.length;
  }
}
