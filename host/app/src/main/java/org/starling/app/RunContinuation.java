package org.starling.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunSpec;
import org.starling.core.run.Simulation;
import org.starling.core.store.FileStore;
import org.starling.core.store.RunDirectory;
import org.starling.core.verify.RowJudge;

/** Goes on with a run that is there: after an interruption, or beyond its end. */
final class RunContinuation {
  private final Terminal terminal;
  private final DeviceOption device;
  private final RunOptions options;

  RunContinuation(Terminal terminal, DeviceOption device, RunOptions options) {
    this.terminal = terminal;
    this.device = device;
    this.options = options;
  }

  /**
   * @param end the new end time, or null to keep the run's
   */
  int go(Path folder, Double end) {
    Path directory = terminal.resolve(folder);
    try (RunDirectory run = RunDirectory.open(FileStore.disk(), directory)) {
      Map<String, Object> manifest = run.readManifest();
      ResolvedExperiment resolved = experiment(run, manifest, end);
      String text = end == null ? run.experimentText() : resolved.yaml();
      RunSpec outline = Specification.outline(resolved);
      if (end == null && run.finished()) {
        if (!options.quiet()) {
          terminal.say("this run is finished: " + directory + " (`extend` continues it)");
        }
        return ExitCode.DONE;
      }
      Selection selection =
          device.chooseAgain(
              terminal,
              recorded(manifest, "device", "id"),
              resolved.experiment().execution().device(),
              resolved.experiment().execution().precision(),
              resolved.experiment().model().interaction() != null,
              options.quiet());
      requireEngine(recorded(manifest, "engine", "engine"), selection, directory);
      RunSession session = new RunSession(terminal, options, resolved, outline, selection);
      RowJudge check = session.check();
      RunControl control = session.control(check);
      try (Engine engine = session.open(Simulation.pinned(run))) {
        Trust trust = session.trust(engine);
        run.replaceExperiment(text);
        return session.run(run, engine, trust, check, control);
      }
    }
  }

  private static ResolvedExperiment experiment(
      RunDirectory run, Map<String, Object> manifest, Double end) {
    ResolvedExperiment now = parse(run, List.of());
    requireUnchanged(run, manifest, now);
    if (end == null) {
      return now;
    }
    double old = now.experiment().stop().t();
    if (!(end > old)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--t " + end + " is not beyond the run's end, t = " + old + "; give a later time");
    }
    return parse(run, List.of("stop.t=" + end));
  }

  private static ResolvedExperiment parse(RunDirectory run, List<String> overrides) {
    return ExperimentFile.parse(
            run.experiment().toString(), run.experimentText(), run.path(), overrides)
        .resolve();
  }

  /**
   * A checkpoint of one experiment must not go on as another. Only the end may differ: an extension
   * may have been cut short before the manifest was written.
   */
  private static void requireUnchanged(
      RunDirectory run, Map<String, Object> manifest, ResolvedExperiment now) {
    Object begun = manifest.get("run_id");
    if (begun == null || begun.equals(now.id())) {
      return;
    }
    Object end = manifest.get("t_end");
    if (end instanceof Number && begun.equals(parse(run, List.of("stop.t=" + end)).id())) {
      return;
    }
    throw new CommandException(
        ExitCode.USAGE,
        run.experiment()
            + " was changed since the run began (its id was "
            + begun
            + ", now it is "
            + now.id()
            + "): what was computed belongs to the old one. Restore the file, or begin a run of its"
            + " own with `starling run "
            + run.experiment()
            + " --out ANOTHER`.");
  }

  /** Refuses an engine that cannot read what the run left. */
  private static void requireEngine(String engine, Selection selection, Path directory) {
    String now = selection.device().engine();
    if (engine != null && !engine.equals(now)) {
      throw new CommandException(
          ExitCode.USAGE,
          directory
              + " was begun by the engine "
              + engine
              + " and cannot go on by the engine "
              + now
              + ": leave --device out.");
    }
  }

  /** A fact of the run as its manifest tells it, or null. */
  private static String recorded(Map<String, Object> manifest, String part, String key) {
    Object value = manifest.get(part) instanceof Map<?, ?> m ? m.get(key) : null;
    return value instanceof String s ? s : null;
  }
}
