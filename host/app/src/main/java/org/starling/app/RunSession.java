package org.starling.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.starling.app.device.Selection;
import org.starling.app.figures.AttentionSource;
import org.starling.app.figures.FigureOptions;
import org.starling.app.figures.FigureReport;
import org.starling.app.figures.Figures;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.TileChoices;
import org.starling.core.experiment.CheckSpec;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Precision;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.run.RunSpec;
import org.starling.core.run.Simulation;
import org.starling.core.store.RunDirectory;
import org.starling.core.verify.RowJudge;
import org.starling.cpu.reference.ReferenceJudge;

/** One session of a run on one engine: certificate, in-run check, loop, summary. */
final class RunSession {
  private final Terminal terminal;
  private final RunOptions options;
  private final ResolvedExperiment resolved;
  private final RunSpec outline;
  private final Shape shape;
  private final Selection selection;
  private String tilesFrom = Tiles.SHIPPED;

  RunSession(
      Terminal terminal,
      RunOptions options,
      ResolvedExperiment resolved,
      RunSpec outline,
      Selection selection) {
    this.terminal = terminal;
    this.options = options;
    this.resolved = resolved;
    this.outline = outline;
    this.shape = resolved.shape();
    this.selection = selection;
  }

  private Precision precision() {
    return resolved.experiment().execution().precision();
  }

  private EngineOptions engineOptions() {
    return EngineOptions.of(precision())
        .withSummation(resolved.experiment().execution().summation())
        .withStorage(resolved.experiment().execution().storage());
  }

  private List<Layer> layers() {
    List<Layer> first = Specification.firstLayers(resolved);
    if (resolved.integrator().merging() == null) {
      return first;
    }
    MergedKeys alone = MergedKeys.alone(shape.n());
    return first.stream().map(layer -> layer.withMerged(alone)).toList();
  }

  /**
   * Opens the engine and refuses what it cannot do or hold.
   *
   * @param pinned settings that decide the bits of a run to go on with, or empty
   */
  Engine open(Map<String, String> pinned) {
    tilesFrom = pinned.isEmpty() ? Tiles.SHIPPED : Tiles.PINNED;
    Engine engine =
        pinned.isEmpty() ? openNew() : selection.open(engineOptions().withPinned(pinned));
    boolean good = false;
    try {
      MemoryReport.require(plan(engine), shape, selection.device().id());
      HostMemory.require(shape, precision(), MatrixMemory.of(resolved));
      engine.check(shape, layers());
      good = true;
      return engine;
    } finally {
      if (!good) {
        engine.close();
      }
    }
  }

  /** A run that begins takes the tile sizes tuned for it; one that goes on keeps its own. */
  private Engine openNew() {
    Tiles tiles = Tiles.choose(terminal, selection, precision(), layers().get(0), options.quiet());
    tilesFrom = tiles.from();
    return selection.open(engineOptions().withPinned(tiles.options(precision()).pinned()));
  }

  private MemoryPlan plan(Engine engine) {
    int states = Simulation.states(outline);
    int fields = Simulation.fields(outline);
    // A figure may show attention at the end.
    boolean pairs =
        !outline.observers().isEmpty() || !outline.stops().isEmpty() || options.figures();
    return HostMemory.include(
        pairs
            ? engine.plan(shape, layers(), states, fields)
            : engine.planWithoutPairs(shape, layers(), states, fields),
        shape,
        precision(),
        MatrixMemory.of(resolved),
        selection.device());
  }

  /** How the loop is to go, certificate aside. */
  RunControl control(RowJudge check) {
    return RunControl.plain()
        .withStop(terminal.interruption().honour())
        .withWalltime(options.walltimeSeconds(resolved.experiment().execution().walltime()))
        .withCheckpointEvery(resolved.experiment().execution().checkpointEvery())
        .withCheck(check)
        .withListener(new ProgressDisplay(terminal, options.quiet()));
  }

  /** The in-run check that the experiment asks for; null for none, or on the definition itself. */
  RowJudge check() {
    CheckSpec wanted = resolved.experiment().check();
    return wanted.every() == 0 || selection.device().engine().equals("reference")
        ? null
        : new RowJudge(new ReferenceJudge(), wanted.every(), wanted.rows());
  }

  /** Says what the run would need, and computes nothing. */
  int dryRun() {
    try (Engine engine = openNew()) {
      DryRun.print(terminal, resolved, plan(engine), engine);
      MemoryReport.require(plan(engine), shape, selection.device().id());
      HostMemory.require(shape, precision(), MatrixMemory.of(resolved));
      engine.check(shape, layers());
    }
    return ExitCode.DONE;
  }

  /** Options for another engine with the tile sizes of this one. */
  private EngineOptions like(Engine engine) {
    String tiles = engine.identity().settings().get(TileChoices.SETTING);
    return engineOptions()
        .withPinned(tiles == null ? Map.of() : Map.of(TileChoices.SETTING, tiles));
  }

  /** Certifies the engine for this run; before anything is written, since it may refuse. */
  Trust trust(Engine engine) {
    return Trust.establish(
        engine,
        summation -> selection.open(like(engine).withSummation(summation)),
        Specification.need(resolved, engine),
        options.certify(),
        terminal,
        options.quiet());
  }

  /** Computes until the end or a stop, and tells how it went. */
  int run(RunDirectory directory, Engine engine, Trust trust, RowJudge check, RunControl control) {
    RunControl told = control.withProvenance(provenance(trust));
    RunSpec spec = Specification.of(resolved, directory.experimentText());
    RunResult result = Simulation.run(spec, told, engine, directory);
    if (options.summary()) {
      new RunSummary(terminal, resolved, directory.path())
          .ended(result, selection, precision(), trust, check, options);
    } else if (result.outcome().kind().exitCode() != 0) {
      terminal.say(directory.path() + ": " + result.outcome().sentence());
    }
    if (options.figures() && result.outcome().kind().exitCode() != ExitCode.STOPPED_EARLY) {
      draw(directory.path(), engine);
    }
    return result.outcome().kind().exitCode();
  }

  /** Figures are an extra: what goes wrong with them is said, and the run stands. */
  private void draw(Path directory, Engine engine) {
    try {
      FigureReport report =
          Figures.draw(
              directory, FigureOptions.defaults().withAttention(AttentionSource.of(engine)));
      if (!options.quiet() && !options.json()) {
        terminal.out().println("  figures  " + PlotCommand.names(report));
        // What a run was not asked for is told by `plot` alone.
        report.skipped().stream()
            .filter(FigureReport.Skipped::failed)
            .forEach(s -> terminal.say("no figure " + s.figure() + ": " + s.reason()));
      }
    } catch (RuntimeException | LinkageError e) {
      terminal.say("the run is complete, but its figures could not be drawn:");
      Failures.report(e, terminal);
    }
  }

  private Map<String, Object> provenance(Trust trust) {
    Map<String, Object> facts = Provenance.of(terminal, selection);
    facts.put("certificate", trust.facts());
    facts.put("tiles_from", tilesFrom);
    return facts;
  }

  /**
   * Where a run goes unless told otherwise: {@code runs/<experiment>-<first 8 digits of the id>}.
   */
  static Path defaultDirectory(Terminal terminal, String name, String runId) {
    return terminal.resolve(Path.of("runs", name + "-" + runId.substring(0, 8)));
  }
}
