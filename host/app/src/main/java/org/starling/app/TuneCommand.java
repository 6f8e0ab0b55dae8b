package org.starling.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.starling.app.device.Selection;
import org.starling.bench.tune.Tuned;
import org.starling.bench.tune.Tuner;
import org.starling.bench.tune.Tuning;
import org.starling.bench.tune.TuningStore;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.TileChoices;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.store.Json;
import org.starling.core.verify.Need;
import org.starling.core.verify.Variant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds good tile sizes for a device, certifies them and keeps them for later runs. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Try a short list of tile sizes on a device and keep the fastest for later runs.",
      "Full and causal mask; a choice holds for dimensions up to twice and down to half the measured"
          + " one. What is chosen is compared with the reference first. Runs that have begun keep the"
          + " tile sizes they began with."
    })
final class TuneCommand implements Callable<Integer> {
  static final int[] DIMENSIONS = {32, 128, 512};
  static final int LARGEST = 4096;

  private final Terminal terminal;

  @Mixin private DeviceOption device;

  @Option(
      names = "--precision",
      paramLabel = "P",
      description =
          "single (mixed runs use it too) or double only. Default: both, where the device has"
              + " float64.")
  private Precision precision;

  @Option(
      names = "--d",
      paramLabel = "D",
      split = ",",
      description = "Dimensions to measure, above 8. Default: 32, 128, 512.")
  private int[] dimensions = DIMENSIONS;

  @Option(names = "--list", description = "Show what is shipped and tuned; measure nothing.")
  private boolean list;

  @Option(names = "--anew", description = "Forget what was found before on this device.")
  private boolean anew;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description = "Begin with no further dimension after so many seconds.")
  private double limit = 3600;

  @Option(names = "--json", description = "The tuning as one JSON object, for programs.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress.")
  private boolean quiet;

  TuneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    requireTiles(dimensions);
    Selection selection =
        device.choose(
            terminal, null, precision == null ? Precision.SINGLE : precision, false, quiet || json);
    EngineIdentity now = identity(selection);
    TuningStore store = new TuningStore(terminal.tunings());
    return list ? show(selection, store, now) : tune(selection, store, now);
  }

  /** Dimensions in which there are tile sizes to choose. */
  private static void requireTiles(int[] dimensions) {
    for (int d : dimensions) {
      if (d < 9 || d > LARGEST) {
        throw new CommandException(
            ExitCode.USAGE,
            "--d " + d + ": tile sizes are used for d from 9 on, and measured up to " + LARGEST);
      }
    }
  }

  /**
   * Precisions that have tile sizes of their own.
   *
   * @param asked one of them; null for all
   */
  static Set<Precision> precisions(Precision asked, Selection selection) {
    if (asked != null) {
      return EnumSet.of(asked == Precision.MIXED ? Precision.SINGLE : asked);
    }
    return selection.device().fp64()
        ? EnumSet.of(Precision.SINGLE, Precision.DOUBLE)
        : EnumSet.of(Precision.SINGLE);
  }

  private static EngineIdentity identity(Selection selection) {
    try (Engine engine = selection.open(EngineOptions.of(Precision.SINGLE))) {
      if (!(engine instanceof TileChoices)) {
        throw new CommandException(
            ExitCode.USAGE,
            "the engine "
                + engine.identity().engine()
                + " has no tile sizes to choose; name an OpenCL device (`starling devices`)");
      }
      return engine.identity();
    }
  }

  private int tune(Selection selection, TuningStore store, EngineIdentity now) throws IOException {
    store.prepare();
    if (!anew) {
      store.find(now.device()); // a damaged file is refused before minutes are spent
    }
    Tuning tuning = null;
    Tuner tuner =
        new Tuner(
            selection::open,
            m -> {
              if (!quiet) {
                terminal.say(m);
              }
            });
    long start = System.nanoTime();
    for (Precision p : precisions(precision, selection)) {
      for (int d : dimensions) {
        if ((System.nanoTime() - start) * 1e-9 > limit) {
          terminal.say(
              Specification.word(p) + ", d = " + d + ": left out, the time limit was reached");
          continue;
        }
        List<Tuned> found = tuner.tune(p, d);
        found.forEach(one -> certify(selection, one));
        tuning = store.add(now, found, time(), anew && tuning == null);
        if (!json) {
          found.forEach(one -> terminal.out().print(describe(one)));
        }
      }
    }
    if (tuning == null) {
      tuning = store.add(now, List.of(), time(), anew);
    }
    if (json) {
      terminal.out().print(new String(Json.line(tuning.asMap()), StandardCharsets.UTF_8));
    } else {
      terminal.out().println("kept in " + store.file(now.device()));
    }
    return ExitCode.DONE;
  }

  /** A variant that computes wrongly must not be chosen, however fast. */
  private void certify(Selection selection, Tuned found) {
    Variant variant =
        new Variant(
            Geometry.SPHERE,
            found.causal() ? Mask.CAUSAL : Mask.FULL,
            Normalisation.SOFTMAX,
            Variant.Form.SCALAR,
            1,
            found.d(),
            found.precision(),
            null);
    EngineOptions options =
        new EngineOptions(found.precision(), Map.of(TileChoices.SETTING, found.tiles()));
    try (Engine engine = selection.open(options)) {
      Trust.establish(
          engine,
          summation -> selection.open(options.withSummation(summation)),
          new Need(Set.of(variant), Set.of()),
          true,
          terminal,
          true);
    }
  }

  private static String time() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String describe(Tuned t) {
    boolean same = t.tiles().equals(t.shipped());
    return String.format(
        Locale.ROOT,
        "%-6s %-6s d=%-5d %s%s%n",
        Specification.word(t.precision()),
        t.causal() ? "causal" : "full",
        t.d(),
        t.tiles(),
        same
            ? "  (as shipped)"
            : String.format(Locale.ROOT, "  (%.0f %% of the shipped time)", 100 * t.gain()));
  }

  private int show(Selection selection, TuningStore store, EngineIdentity now) throws IOException {
    Optional<Tuning> tuning = store.find(now.device());
    Map<String, Object> facts = new LinkedHashMap<>();
    Map<String, String> shipped = new LinkedHashMap<>();
    boolean measured = false;
    for (Precision p : precisions(precision, selection)) {
      try (Engine engine = selection.open(EngineOptions.of(p))) {
        measured = ((TileChoices) engine).shippedTilesMeasured();
        shipped.put(Specification.word(p), engine.identity().settings().get(TileChoices.SETTING));
      }
    }
    facts.put("device", now.device());
    facts.put("shipped", shipped);
    facts.put("shipped_tested", measured);
    facts.put("file", store.file(now.device()).toString());
    facts.put("tuned", tuning.map(Tuning::asMap).orElse(null));
    facts.put("stale", tuning.flatMap(t -> t.staleness(now)).orElse(null));
    if (json) {
      terminal.out().print(new String(Json.line(facts), StandardCharsets.UTF_8));
      return ExitCode.DONE;
    }
    String mark = measured ? "" : "  (untested on devices of this kind)";
    shipped.forEach((p, t) -> terminal.out().printf("shipped  %-6s %s%s%n", p, t, mark));
    if (tuning.isEmpty()) {
      terminal.out().println("tuned    nothing; `starling tune` measures this device");
      return ExitCode.DONE;
    }
    tuning.get().entries().forEach(t -> terminal.out().print("tuned    " + describe(t)));
    tuning
        .get()
        .staleness(now)
        .ifPresent(why -> terminal.out().println("not used: measured " + why));
    terminal.out().println("in " + facts.get("file") + ", made " + tuning.get().made());
    return ExitCode.DONE;
  }
}
