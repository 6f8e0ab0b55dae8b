package org.starling.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunSpec;
import org.starling.core.store.FileStore;
import org.starling.core.store.RunDirectory;
import org.starling.core.verify.RowJudge;

/** Computes an experiment from its start into a directory. */
final class FreshRun {
  private final Terminal terminal;
  private final DeviceOption device;
  private final RunOptions options;

  FreshRun(Terminal terminal, DeviceOption device, RunOptions options) {
    this.terminal = terminal;
    this.device = device;
    this.options = options;
  }

  private Selection choose(ResolvedExperiment resolved) {
    return device.choose(
        terminal,
        resolved.experiment().execution().device(),
        resolved.experiment().execution().precision(),
        resolved.experiment().model().interaction() != null,
        options.quiet() || !options.summary());
  }

  /** Says what the run would need, and computes nothing. */
  int dry(ResolvedExperiment resolved) {
    RunSpec outline = Specification.outline(resolved);
    return new RunSession(terminal, options, resolved, outline, choose(resolved)).dryRun();
  }

  /**
   * Computes, unless this very run is there and finished.
   *
   * @param force whether a run that is there is replaced
   * @return the exit code
   */
  int into(Path directory, ResolvedExperiment resolved, boolean force) {
    RunSpec outline = Specification.outline(resolved);
    if (!force && done(directory, resolved)) {
      return ExitCode.DONE;
    }
    RunSession session = new RunSession(terminal, options, resolved, outline, choose(resolved));
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
      requireStorage(directory, resolved, engine);
      Object on = engine instanceof Map<?, ?> m ? m.get("device") : "an unknown device";
      if (!options.quiet() && options.summary()) {
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

  private static void requireStorage(Path directory, ResolvedExperiment resolved, Object engine) {
    String wanted = Specification.word(resolved.experiment().execution().storage());
    Object settings = engine instanceof Map<?, ?> m ? m.get("settings") : null;
    Object known = settings instanceof Map<?, ?> m ? m.get("storage") : null;
    Object kept = known == null ? "full" : known;
    if (!wanted.equals(kept)) {
      throw new CommandException(
          ExitCode.USAGE,
          directory
              + " holds this run finished with storage "
              + kept
              + ", and "
              + wanted
              + " is asked for: choose another --out, or replace it with --force.");
    }
  }
}
