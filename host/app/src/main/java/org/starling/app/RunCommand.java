package org.starling.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunSpec;
import org.starling.core.store.FileStore;
import org.starling.core.store.RunDirectory;
import org.starling.core.verify.RowJudge;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes an experiment into a directory. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Compute an experiment into a directory.",
      "A finished run is not computed again; nothing is overwritten without --force."
    })
class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ExperimentArgument experiment;
  @Mixin private DeviceOption device;
  @Mixin private RunOptions options;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run's directory. Default: runs/<experiment>-<id>.")
  private Path out;

  @Option(
      names = "--dry-run",
      description = "Print memory plan, variants and size of the output, and compute nothing.")
  private boolean dryRun;

  @Option(names = "--force", description = "Replace a run that is there.")
  private boolean force;

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ExperimentFile file = experiment.read(terminal, device);
    require(file.experiment(), experiment.name());
    ResolvedExperiment resolved = file.resolve();
    RunSpec outline = Specification.outline(resolved);
    Path directory =
        out == null
            ? RunSession.defaultDirectory(terminal, experiment.name(), resolved.id())
            : terminal.resolve(out);
    if (!dryRun && !force && done(directory, resolved)) {
      return ExitCode.DONE;
    }
    Selection selection =
        device.choose(
            terminal,
            resolved.experiment().execution().device(),
            resolved.experiment().execution().precision(),
            resolved.experiment().model().interaction() != null,
            options.quiet());
    RunSession session = new RunSession(terminal, options, resolved, outline, selection);
    if (dryRun) {
      return session.dryRun();
    }
    RowJudge check = session.check();
    RunControl control = session.control(check);
    try (Engine engine = session.open(Map.of())) {
      Trust trust = session.trust(engine);
      try (RunDirectory run =
          RunDirectory.create(FileStore.disk(), directory, resolved.yaml(), force)) {
        return session.run(run, engine, trust, check, control);
      }
    }
  }

  /**
   * Refuses an experiment that is not one for this command.
   *
   * @param name of the experiment, for the message
   */
  void require(Experiment wanted, String name) {
    // Every experiment can be run.
  }

  /**
   * Whether the directory holds this very run, finished; says so.
   *
   * @throws CommandException if a finished run is there that is not this one, or is in another
   *     precision than is asked for now
   */
  private boolean done(Path directory, ResolvedExperiment resolved) {
    if (!Files.exists(directory.resolve("experiment.yaml"))) {
      return false;
    }
    try (RunDirectory run = RunDirectory.open(FileStore.disk(), directory)) {
      Map<String, Object> manifest = run.readManifest();
      if (!run.finished()) {
        return false;
      }
      if (!resolved.id().equals(manifest.get("run_id"))) {
        throw new CommandException(
            ExitCode.USAGE,
            directory
                + " holds another finished run (id "
                + manifest.get("run_id")
                + ", this experiment has "
                + resolved.id()
                + "): choose another --out, or replace it with --force.");
      }
      String wanted = Specification.word(resolved.experiment().execution().precision());
      Object engine = manifest.get("engine");
      Object precision = engine instanceof Map<?, ?> m ? m.get("precision") : null;
      if (precision != null && !wanted.equals(precision)) {
        throw new CommandException(
            ExitCode.USAGE,
            directory
                + " holds this run finished in "
                + precision
                + " precision, and "
                + wanted
                + " is asked for: choose another --out, or replace it with --force.");
      }
      Object on = engine instanceof Map<?, ?> m ? m.get("device") : "an unknown device";
      if (!options.quiet()) {
        terminal.say(
            "already computed on "
                + on
                + ": "
                + directory
                + " (--force computes it again, `extend` continues it)");
      }
      if (options.json()) {
        terminal
            .out()
            .println(
                tools.jackson.databind.json.JsonMapper.builder()
                    .build()
                    .writeValueAsString(
                        Map.of(
                            "run_id", resolved.id(),
                            "directory", directory.toString(),
                            "already_computed", true)));
      }
      return true;
    }
  }
}
