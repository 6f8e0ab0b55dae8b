package org.starling.core.experiment;

import java.util.List;
import java.util.stream.Collectors;

/** An experiment that cannot be run as written; carries everything that is wrong with it. */
public final class ExperimentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public ExperimentException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
