package org.starling.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Storage;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Evaluates the right-hand side once. */
@Command(
    name = "velocity",
    mixinStandardHelpOptions = true,
    description = "Write the velocities of an experiment at time 0 as a .npy file (float64).")
final class VelocityCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ExperimentArgument experiment;
  @Mixin private DeviceOption device;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE.npy",
      description = "Where to write [n][d] (with replicas [R][n][d]); replaced if it exists.")
  private Path out;

  @Option(names = "--json", description = "A JSON object on standard output, for programs.")
  private boolean json;

  @Option(names = "--quiet", description = "Only errors.")
  private boolean quiet;

  VelocityCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    Path target = terminal.resolve(out);
    Path folder = target.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder) || Files.isDirectory(target)) {
      throw new CommandException(
          ExitCode.USAGE, "--out " + out + ": not a file in an existing folder; create " + folder);
    }
    ResolvedExperiment resolved = experiment.read(terminal, device).resolve();
    Precision precision = resolved.experiment().execution().precision();
    Selection selection =
        device.choose(
            terminal,
            resolved.experiment().execution().device(),
            precision,
            resolved.experiment().model().interaction() != null,
            quiet);
    Shape shape = resolved.shape();
    List<Layer> layers = startLayers(resolved);
    Tiles tiles = Tiles.choose(terminal, selection, precision, layers.get(0), quiet || json);
    try (Engine engine =
        selection.open(
            tiles
                .options(precision)
                .withSummation(resolved.experiment().execution().summation())
                .withStorage(resolved.experiment().execution().storage()))) {
      long matrices = MatrixMemory.of(resolved);
      MemoryPlan plan =
          HostMemory.include(
              engine.planWithoutPairs(shape, layers, 1, 1),
              shape,
              precision,
              matrices,
              selection.device());
      MemoryReport.require(plan, shape, selection.device().id());
      HostMemory.require(shape, precision, matrices);
      engine.check(shape, layers);
      try (State x = engine.allocateState(shape);
          Field v = engine.allocateField(shape)) {
        engine.upload(x, resolved.positions());
        boolean[] active = new boolean[shape.replicas()];
        Arrays.fill(active, true);
        engine.velocity(x, layers.toArray(Layer[]::new), active, v);
        FieldReport report = engine.takeReport();
        double[] values = engine.download(v);
        requireFinite(values, shape, precision, report);
        Npy.write(target, ElementType.FLOAT64, values, dimensions(shape));
        return report(engine, selection, report, shape, target);
      }
    }
  }

  /** Layer in force at time 0 for each replica. */
  private static List<Layer> startLayers(ResolvedExperiment resolved) {
    if (resolved.experiment().sweep() == null) {
      return Collections.nCopies(resolved.shape().replicas(), resolved.dynamics().at(0, 0));
    }
    HostMemory.require(resolved.shape(), resolved.experiment().execution().precision(), 0);
    return resolved.replicaDynamics().stream().map(one -> one.at(0, 0)).toList();
  }

  /** A file with holes in it would be taken for velocities. */
  private static void requireFinite(
      double[] v, Shape shape, Precision precision, FieldReport report) {
    for (int k = 0; k < v.length; k++) {
      if (!Double.isFinite(v[k])) {
        int row = k / shape.d();
        throw new CommandException(
            ExitCode.NUMERICAL,
            "the velocity of token "
                + row % shape.n()
                + (shape.replicas() == 1 ? "" : " of replica " + row / shape.n())
                + " is not finite: "
                + whyNotFinite(precision, report)
                + " Nothing was written.");
      }
    }
  }

  private static String whyNotFinite(Precision precision, FieldReport report) {
    return report.beyondStorage() > 0
        ? report.beyondStorageSentence()
        : "it is beyond the largest number of "
            + Specification.word(precision)
            + " precision. "
            + (precision == Precision.DOUBLE
                ? "Make beta or the tokens' norms smaller."
                : "Use --precision double, or make beta or the tokens' norms smaller.");
  }

  private static int[] dimensions(Shape s) {
    return s.replicas() == 1 ? new int[] {s.n(), s.d()} : new int[] {s.replicas(), s.n(), s.d()};
  }

  private int report(
      Engine engine, Selection selection, FieldReport report, Shape shape, Path target) {
    if (json) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("file", target.toString());
      facts.put("shape", dimensions(shape));
      facts.put("engine", engine.identity().engine());
      facts.put("device", selection.device().id());
      facts.put("precision", Specification.word(engine.precision()));
      facts.put("dead_rows", report.deadRows());
      facts.put("below_range", report.belowRange());
      facts.put("summation", engine.summation().facts());
      facts.put("storage", engine.storage().name().toLowerCase(Locale.ROOT));
      facts.put("below_storage", report.belowStorage());
      terminal.out().println(JsonMapper.builder().build().writeValueAsString(facts));
    }
    if (report.deadRows() > 0) {
      terminal.say(
          report.deadRows()
              + " tokens see no key; their velocity is 0 (the first: "
              + report.firstDeadRow()
              + ")");
    }
    if (report.belowRange() > 0) {
      terminal.say(
          report.belowRange()
              + " speeds are too small for "
              + Specification.word(engine.precision())
              + " precision to hold with all digits (the first: token "
              + report.firstBelowRange()
              + (engine.precision() == Precision.DOUBLE
                  ? ")"
                  : "); --precision double reaches further"));
    }
    if (report.belowStorage() > 0) {
      terminal.say(RunSummary.belowStorage(report));
    }
    if (!quiet && !json) {
      if (engine.storage() == Storage.HALF) {
        terminal.say("keys and values kept as half");
      }
      terminal.say("summed by " + engine.summation().sentence());
      terminal.say("wrote " + target);
    }
    return ExitCode.DONE;
  }
}
