package org.starling.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.starling.app.reproduce.ClaimReport;
import org.starling.app.reproduce.ConjectureReport;
import org.starling.app.reproduce.ConjectureVerdict;
import org.starling.core.experiment.Claim;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Searches random ensembles for counter-examples of statements that nobody has proved. */
@Command(
    name = "conjecture",
    mixinStandardHelpOptions = true,
    description = {
      "Search random weights and starts for counter-examples of an open statement.",
      "Each seed agrees, disagrees, moves still, or is outside the hypotheses. What does not agree is"
          + " computed again at half the step and four times as long; what disagrees then is kept"
          + " as an experiment file in candidates/, which `starling run` takes.",
      "Exit code 0 if no counter-example stands, some seed agrees, and the control, which must"
          + " disagree, does; else 4. Stopped, the same command goes on."
    })
final class ConjectureCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "A conjecture of --list, or an experiment file with a claim.")
  private String name;

  @Option(names = "--list", description = "List the conjectures.")
  private boolean list;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Draws of weights and starts. Default: the file's.")
  private Integer seeds;

  @Option(
      names = "--first-seed",
      paramLabel = "S",
      description = "With --seeds: the seeds S, ..., S + N - 1. Default: ${DEFAULT-VALUE}.")
  private long firstSeed;

  @Option(
      names = "--look-again",
      paramLabel = "M",
      description =
          "Compute at most so many seeds of an ensemble again. Default: ${DEFAULT-VALUE}.")
  private int most = 64;

  @Option(names = "--quick", description = "The smaller settings of the file.")
  private boolean quick;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Change a key of the experiment, e.g. --set tokens.d=4. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Mixin private DeviceOption device;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The conjecture's directory. Default: runs/conjecture-<name>-<id>.")
  private Path out;

  @Option(names = "--no-certify", description = "Do not measure the device first.")
  private boolean noCertify;

  @Option(names = "--force", description = "Compute again what is there.")
  private boolean force;

  @Option(names = "--json", description = "A JSON object on standard output.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress; the outcome alone.")
  private boolean quiet;

  ConjectureCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if ((name == null) != list) {
      throw new CommandException(ExitCode.USAGE, "give the name of a conjecture, or --list");
    }
    if (list) {
      return list();
    }
    if (seeds != null && seeds < 1 || firstSeed < 0 || most < 1) {
      throw new CommandException(
          ExitCode.USAGE, "--seeds and --look-again are at least 1, --first-seed at least 0");
    }
    Path directory = out == null ? place() : terminal.resolve(out);
    RunOptions options = RunOptions.partOfAnother(!noCertify, quiet || json);
    ConjectureRuns runs =
        new ConjectureRuns(new RunOnce(terminal, device, options, force), this::read, most);
    ConjectureVerdict verdict = runs.test(ExperimentArgument.name(name), quick, directory);
    if (verdict == null) {
      return ExitCode.STOPPED_EARLY;
    }
    if (json) {
      terminal.out().println(ConjectureReport.json(verdict));
    } else {
      terminal.out().print(ConjectureReport.text(verdict, directory));
    }
    return verdict.outcome() == ConjectureVerdict.Outcome.NO_COUNTER_EXAMPLE
        ? ExitCode.DONE
        : ExitCode.NUMERICAL;
  }

  private int list() throws IOException {
    if (!json) {
      terminal.out().print(ClaimReport.listHead("STATEMENT"));
    }
    for (String entry : Examples.conjectures()) {
      Claim claim = ExperimentArgument.read(terminal, entry, overrides, ClaimRun.MAIN).claim();
      if (json) {
        terminal.out().println(ClaimReport.listed(entry, claim));
      } else {
        terminal.out().print(ClaimReport.listLines(entry, claim));
      }
    }
    return ExitCode.DONE;
  }

  private Path place() {
    String id = read(new ClaimRun(ClaimRun.RUN, quick)).resolve().id();
    return RunSession.defaultDirectory(terminal, "conjecture-" + ExperimentArgument.name(name), id);
  }

  private ExperimentFile read(ClaimRun run) {
    List<String> all = new ArrayList<>(overrides);
    if (seeds != null) {
      all.add("sweep.seed={range: [" + firstSeed + ", " + (firstSeed + seeds) + "]}");
    }
    if (device.asksForReference(terminal)) {
      all.add("execution.device=reference");
    }
    try {
      return ExperimentArgument.read(terminal, name, all, run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
