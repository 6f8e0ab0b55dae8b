package org.starling.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.starling.app.device.Selection;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;
import org.starling.core.run.StopRequest;
import org.starling.core.store.FileStore;
import org.starling.core.store.Json;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.Sha256;
import org.starling.cpu.reference.ReferenceProvider;
import org.starling.paths.experiment.ResolvedPaths;
import org.starling.paths.run.PathRun;
import org.starling.paths.run.PointResult;

/** Computes an experiment on attention paths into its directory, what is not there yet. */
final class PathsSession {
  private final Terminal terminal;
  private final PathsArgument argument;
  private final DeviceOption device;
  private final ResolvedPaths resolved;

  PathsSession(Terminal terminal, PathsArgument argument, DeviceOption device) {
    this.terminal = terminal;
    this.argument = argument;
    this.device = device;
    resolved = new ResolvedPaths(argument.read(terminal));
  }

  ResolvedPaths resolved() {
    return resolved;
  }

  /** What a command does with the points. */
  interface Study {
    /** Writes its results and says what it found; gives the keys that JSON shows. */
    Map<String, Object> of(PathRun run, List<PointResult> points, Path directory);
  }

  /** Computes the points, then the study; gives the exit code. */
  int run(Study study) {
    Path directory = argument.directory(terminal, resolved.id());
    boolean there = !argument.force() && Files.exists(directory.resolve("experiment.yaml"));
    try (RunDirectory run =
        there
            ? RunDirectory.open(FileStore.disk(), directory)
            : RunDirectory.create(FileStore.disk(), directory, resolved.yaml(), argument.force())) {
      Map<String, Object> before = run.readManifest();
      if (there && !before.isEmpty() && !resolved.id().equals(before.get("run_id"))) {
        throw new CommandException(
            ExitCode.USAGE,
            directory
                + " holds another run (id "
                + before.get("run_id")
                + ", this experiment has "
                + resolved.id()
                + "): choose another --out, or replace it with --force.");
      }
      Selection selection = choose(before);
      Precision precision = resolved.experiment().precision();
      Consumer<String> progress = argument.quiet() ? line -> {} : terminal::say;
      StopRequest stop = terminal.interruption().honour();
      try (PathOperations operations =
              selection.provider().openPaths(selection.device(), precision);
          PathOperations judge = reference();
          PathRun work = new PathRun(resolved, operations, judge, run, progress, stop)) {
        if (!there) {
          work.clear();
        }
        return run(study, run, work, selection, before, stop);
      }
    }
  }

  private static PathOperations reference() {
    ReferenceProvider provider = new ReferenceProvider();
    return provider.openPaths(provider.devices().get(0), Precision.DOUBLE);
  }

  /** A run that goes on does so on its device. */
  private Selection choose(Map<String, Object> before) {
    String recorded =
        before.get("device") instanceof Map<?, ?> d && d.get("id") instanceof String id ? id : null;
    return device.chooseAgain(
        terminal,
        recorded,
        resolved.experiment().device(),
        resolved.experiment().precision(),
        false,
        argument.quiet());
  }

  private int run(
      Study study,
      RunDirectory directory,
      PathRun work,
      Selection selection,
      Map<String, Object> before,
      StopRequest stop) {
    boolean finished = directory.finished();
    Map<String, Object> facts = finished ? before : Provenance.of(terminal, selection);
    if (!finished) {
      requireSameEngine(before, work.engine(), directory.path(), selection.device());
      facts.put("kind", "attention-paths");
      facts.put("run_id", resolved.id());
      facts.put("experiment_sha256", Sha256.of(directory.experimentText()));
      facts.put("engine", work.engine());
      facts.put("points", resolved.experiment().points().size());
      facts.put("finished", false);
      directory.store().replace(directory.manifest(), Json.document(facts));
    }
    Instant begin = Instant.now();
    List<PointResult> points = work.compute();
    boolean whole = points.size() == resolved.experiment().points().size();
    if (!finished) {
      List<Object> sessions =
          before.get("sessions") instanceof List<?> l ? new ArrayList<>(l) : new ArrayList<>();
      Map<String, Object> session = new LinkedHashMap<>();
      session.put("start", begin.truncatedTo(ChronoUnit.SECONDS).toString());
      session.put("seconds", begin.until(Instant.now(), ChronoUnit.MILLIS) / 1e3);
      session.put("points", points.size());
      sessions.add(session);
      facts.put("sessions", sessions);
      facts.put("check", work.check());
      facts.put("finished", whole);
      directory.store().replace(directory.manifest(), Json.document(facts));
    }
    if (!whole) {
      terminal.say(
          "stopped after "
              + points.size()
              + " points ("
              + stop.reason()
              + "); the same command goes on: "
              + directory.path());
      return ExitCode.STOPPED_EARLY;
    }
    Map<String, Object> found = study.of(work, points, directory.path());
    if (argument.json()) {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("run_id", resolved.id());
      out.put("directory", directory.path().toString());
      out.putAll(found);
      terminal.out().print(new String(Json.line(out), java.nio.charset.StandardCharsets.UTF_8));
    }
    long bad = points.stream().filter(p -> !p.converged()).count();
    if (bad > 0) {
      terminal.say(
          "starling: the optimiser did not converge at "
              + bad
              + " of "
              + points.size()
              + " points (points.jsonl names them); raise fit.iterations or network.temperature");
      return ExitCode.NUMERICAL;
    }
    return ExitCode.DONE;
  }

  private static void requireSameEngine(
      Map<String, Object> before, Map<String, Object> now, Path directory, DeviceInfo device) {
    Object engine = before.get("engine");
    if (engine != null && !engine.equals(now)) {
      throw new CommandException(
          ExitCode.USAGE,
          directory
              + " was begun on another engine, driver or version than "
              + device.id()
              + " is now; its numbers would differ in their last digits. Choose its device, or"
              + " start again with --force.");
    }
  }
}
