package org.starling.paths.experiment;

import org.starling.core.experiment.InputFile;
import org.starling.paths.task.HiddenMarkovTask;

/** Where examples come from. */
public sealed interface TaskSpec {
  /**
   * Hidden Markov chains.
   *
   * @param train number of training examples, even
   * @param test number of test examples, even
   * @param trainSeed of the generator of the training examples
   * @param testSeed of that of the test examples
   */
  record HiddenMarkov(HiddenMarkovTask task, int train, int test, long trainSeed, long testSeed)
      implements TaskSpec {}

  /** Arrays: inputs {@code [count][tokens][width]}, labels {@code [count]}. */
  record Files(InputFile trainX, InputFile trainY, InputFile testX, InputFile testY)
      implements TaskSpec {}
}
