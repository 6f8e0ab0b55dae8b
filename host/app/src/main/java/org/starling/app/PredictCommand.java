package org.starling.app;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.starling.analysis.predict.Judgement;
import org.starling.analysis.predict.Predictor;
import org.starling.analysis.predict.Situation;
import org.starling.core.experiment.ResolvedExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what the papers say about an experiment, before it is run. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = {
      "Say which theorems and conjectures apply to an experiment and what they predict, without"
          + " running it: every hypothesis with the value it has, every statement that does not apply"
          + " with the hypothesis that fails."
    })
final class PredictCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ExperimentArgument experiment;

  @Option(names = "--json", description = "A JSON object on standard output, for programs.")
  private boolean json;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = "Only the statement of this name, every hypothesis shown.")
  private String only;

  PredictCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ResolvedExperiment resolved = experiment.read(terminal, new DeviceOption()).resolve();
    HostMemory.require(
        resolved.shape(), resolved.experiment().execution().precision(), MatrixMemory.of(resolved));
    Situation situation = Situation.of(resolved);
    List<Judgement> all = Predictor.judge(situation);
    if (only != null) {
      List<Judgement> one = all.stream().filter(j -> j.id().equals(only)).toList();
      if (one.isEmpty()) {
        throw new CommandException(
            ExitCode.USAGE,
            "--only "
                + only
                + ": no such statement. Known: "
                + String.join(", ", all.stream().map(Judgement::id).toList())
                + ".");
      }
      all = one;
    }
    PredictionReport report =
        new PredictionReport(resolved, all, Predictor.limits(situation), only != null);
    terminal.out().print(json ? report.json() : report.text());
    return ExitCode.DONE;
  }
}
