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
      ResolvedExperiment resolved = experiment(run, end);
      String text = end == null ? run.experimentText() : resolved.yaml();
      RunSpec spec = Specification.of(resolved, text);
      if (end == null && run.finished()) {
        if (!options.quiet()) {
          terminal.say("this run is finished: " + directory + " (`extend` continues it)");
        }
        return ExitCode.DONE;
      }
      Selection selection =
          device.chooseAgain(
              terminal,
              recorded(run),
              resolved.experiment().execution().device(),
              resolved.experiment().execution().precision(),
              options.quiet());
      RunSession session = new RunSession(terminal, options, resolved, spec, selection);
      RowJudge check = session.check();
      RunControl control = session.control(check);
      try (Engine engine = session.open(Simulation.pinned(run))) {
        Trust trust = session.trust(engine);
        run.replaceExperiment(text);
        return session.run(run, engine, trust, check, control);
      }
    }
  }

  private ResolvedExperiment experiment(RunDirectory run, Double end) {
    String name = run.experiment().toString();
    ResolvedExperiment now =
        ExperimentFile.parse(name, run.experimentText(), run.path(), List.of()).resolve();
    if (end == null) {
      return now;
    }
    double old = now.experiment().stop().t();
    if (!(end > old)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--t " + end + " is not beyond the run's end, t = " + old + "; give a later time");
    }
    return ExperimentFile.parse(name, run.experimentText(), run.path(), List.of("stop.t=" + end))
        .resolve();
  }

  /** The device the run was computed on, so that the bits stay the same; null if not on record. */
  private static String recorded(RunDirectory run) {
    Object device = run.readManifest().get("device");
    Object id = device instanceof Map<?, ?> m ? m.get("id") : null;
    return id instanceof String s ? s : null;
  }
}
