package org.starling.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.starling.app.device.DeviceCatalogue;
import org.starling.app.device.Selection;
import org.starling.app.figures.RooflineFigure;
import org.starling.bench.Bench;
import org.starling.bench.BenchOptions;
import org.starling.bench.BenchReport;
import org.starling.bench.Row;
import org.starling.bench.Subjects;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;
import org.starling.core.store.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast a device computes, as fractions of what it could. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measure how fast a device computes, as fractions of its limits.",
      "The device's peak, its exponentials and its memory are measured in the same run, then attention"
          + " passes and whole steps. Exit code 4 if a row falls below three quarters of its goal."
    })
final class BenchCommand implements Callable<Integer> {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private final Terminal terminal;

  @Mixin private DeviceOption device;

  @Option(
      names = "--precision",
      paramLabel = "P",
      description = "single or double only. Default: both, where the device has float64.")
  private Precision precision;

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description = "Only rows whose name contains PART (repeatable, or separated by commas).")
  private List<String> only = List.of();

  @Option(names = "--quick", description = "Fewer shapes, three repetitions: under a minute.")
  private boolean quick;

  @Option(
      names = "--peers",
      description =
          "NumPy, PyTorch and OpenBLAS beside it, by the first python3 that has NumPy"
              + " (STARLING_PYTHON names one).")
  private boolean peers;

  @Option(names = "--list", description = "Print the names of the rows and measure nothing.")
  private boolean list;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description = "Begin no further measurement after so many seconds.")
  private double limit = 3600;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder for bench.json, bench.txt and the roofline. Default: runs/bench-TIME.")
  private Path out;

  @Option(
      names = "--gpu-report",
      description =
          "Verify, tune, bench and a long causal run compared with the CPU engines, into one folder"
              + " within --minutes: what to do with a GPU that is lent for a short time.")
  private boolean gpuReport;

  @Option(names = "--minutes", paramLabel = "M", description = "Time for --gpu-report. Default: 8.")
  private double minutes = 8;

  @Option(
      names = "--report-run",
      paramLabel = "NxDxSTEPS",
      description = "The causal run of --gpu-report. Default: 8192x256x200.")
  private String reportRun = "8192x256x200";

  @Option(names = "--json", description = "The whole result as one JSON object on standard output.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress.")
  private boolean quiet;

  BenchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    BenchOptions options = options();
    GpuReport.Size size = gpuReport && !list ? GpuReport.Size.of(reportRun) : null;
    Selection selection =
        device.choose(
            terminal,
            null,
            precision == null ? Precision.SINGLE : precision,
            false,
            quiet || list || json);
    List<String> ids = Bench.ids(options, selection.device());
    requireRows(ids);
    if (list) {
      ids.forEach(terminal.out()::println);
      return ExitCode.DONE;
    }
    requireEngine(selection.device());
    if (size != null) {
      return new GpuReport(terminal, selection.device().id(), folder(), 60 * minutes)
          .make(size, quick, only);
    }
    Path folder = folder();
    // Minutes of measurement must not end at a folder that cannot be made.
    Files.createDirectories(folder);
    BenchReport report = new Bench(subjects(selection), options, this::progress).run();
    write(report, folder);
    if (json) {
      terminal.out().print(new String(Json.line(report.asMap()), StandardCharsets.UTF_8));
    } else {
      terminal.out().print(report.table());
    }
    if (!quiet) {
      terminal.say("results in " + folder);
    }
    return report.missed().isEmpty() ? ExitCode.DONE : ExitCode.NUMERICAL;
  }

  private Path folder() {
    return terminal.resolve(
        out == null ? Path.of("runs", "bench-" + STAMP.format(LocalDateTime.now())) : out);
  }

  private BenchOptions options() {
    if (precision == Precision.MIXED) {
      throw new CommandException(
          ExitCode.USAGE,
          "mixed precision computes its passes in float32: measure it with --precision single");
    }
    if (!(limit > 0) || !(minutes > 0)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--limit and --minutes must be > 0, got " + limit + " s and " + minutes + " min");
    }
    Set<Precision> precisions =
        precision == null ? EnumSet.of(Precision.SINGLE, Precision.DOUBLE) : Set.of(precision);
    return new BenchOptions(only, precisions, quick, peers, limit);
  }

  private void requireRows(List<String> ids) {
    for (String part : only) {
      if (ids.stream().noneMatch(id -> id.contains(part))) {
        throw new CommandException(
            ExitCode.USAGE,
            "no row's name contains '"
                + part
                + "'; `starling bench --list` prints them"
                + (peers ? "" : " (those of peers with --peers)"));
      }
    }
  }

  private void requireEngine(DeviceInfo chosen) {
    if (chosen.engine().equals("reference")) {
      throw new CommandException(
          ExitCode.USAGE,
          "the reference engine is the definition, plain loops that are never made faster: there is"
              + " nothing to measure; take --device cpu, gpu or java");
    }
    if (gpuReport && !chosen.engine().equals("opencl")) {
      throw new CommandException(
          ExitCode.USAGE,
          "--gpu-report compares an OpenCL device with the CPU engines, and "
              + chosen.id()
              + " is one of these; name the OpenCL device with --device gpu or opencl:P:D"
              + " (`starling devices` lists them), or measure this one without --gpu-report");
    }
  }

  /** The chosen device, and an OpenCL device on the processor to compare the engine java with. */
  private Subjects subjects(Selection selection) {
    Subjects.Opener processor = null;
    for (DeviceCatalogue.Entry e : DeviceCatalogue.discover().entries()) {
      if (e.device().usable() && e.device().type().equals("cpu") && processor == null) {
        processor = options -> e.provider().open(e.device(), options);
      }
    }
    return new Subjects(
        selection.device(),
        selection::open,
        (p, causal, d) -> tiles(selection, p, causal, d),
        processor);
  }

  private EngineOptions tiles(Selection selection, Precision p, boolean causal, int d) {
    Mask mask = causal ? Mask.CAUSAL : Mask.FULL;
    return Tiles.choose(terminal, selection, p, mask, d, true).options(p);
  }

  private void progress(Row row) {
    if (quiet || json) {
      return;
    }
    terminal.say(
        Double.isNaN(row.value())
            ? String.format(Locale.ROOT, "%-44s %s: %s", row.id(), row.verdict().word(), row.note())
            : String.format(
                Locale.ROOT,
                "%-44s %10.4g %-10s %s",
                row.id(),
                row.value(),
                row.unit(),
                row.verdict().word()));
  }

  private static void write(BenchReport report, Path folder) throws IOException {
    Files.write(folder.resolve("bench.json"), Json.document(report.asMap()));
    Files.writeString(folder.resolve("bench.txt"), report.table(), StandardCharsets.UTF_8);
    RooflineFigure.write(report, folder);
  }
}
