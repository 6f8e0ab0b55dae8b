package org.starling.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Storage;
import org.starling.core.engine.TileChoices;
import org.starling.core.model.Precision;
import org.starling.core.verify.Certificate;
import org.starling.core.verify.CertificateStore;
import org.starling.core.verify.Certifier;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures every setting of tile sizes that {@code tune} may choose on a device, and stores a
 * certificate for each: whatever is chosen later has been compared with the reference.
 */
final class TileVerification {
  private final Terminal terminal;
  private final Selection selection;
  private final int[] dimensions;
  private final boolean json;
  private final Certifier certifier;
  private int settings;
  private int measurements;
  private boolean passed = true;

  TileVerification(Terminal terminal, Selection selection, int[] dimensions, boolean json) {
    this.terminal = terminal;
    this.selection = selection;
    this.dimensions = dimensions.clone();
    this.json = json;
    this.certifier =
        new Certifier(
            new CertificateStore(terminal.certificates()),
            new ReferenceEngine(),
            new ReferenceJudge(),
            e -> Trust.notStored(e, terminal));
  }

  int run(Set<Precision> precisions) {
    for (Precision precision : precisions) {
      for (Map.Entry<String, Set<Integer>> e : candidates(precision).entrySet()) {
        EngineOptions options =
            new EngineOptions(precision, Map.of(TileChoices.SETTING, e.getKey()));
        int[] d = e.getValue().stream().mapToInt(Integer::intValue).toArray();
        try (Engine engine = selection.open(options)) {
          measure(engine, e.getKey(), d);
        }
        try (Engine engine = selection.open(options.withStorage(Storage.HALF))) {
          measure(engine, e.getKey(), d);
        } catch (EngineException refused) {
          if (refused.kind() != EngineException.Kind.REQUEST) {
            throw refused;
          }
        }
      }
    }
    if (!json) {
      terminal
          .out()
          .printf(
              "%s: %d settings of tile sizes, %d measurements on %s; certificates in %s%n",
              passed ? "PASSED" : "FAILED",
              settings,
              measurements,
              selection.device().name(),
              terminal.certificates());
    }
    return passed ? ExitCode.DONE : ExitCode.ENVIRONMENT;
  }

  /** Settings, each with the dimensions that it may be chosen for. */
  private Map<String, Set<Integer>> candidates(Precision precision) {
    Map<String, Set<Integer>> all = new LinkedHashMap<>();
    try (Engine engine = selection.open(EngineOptions.of(precision))) {
      if (!(engine instanceof TileChoices choices)) {
        throw new CommandException(
            ExitCode.USAGE,
            "the engine "
                + engine.identity().engine()
                + " has no tile sizes to choose; name an OpenCL device (`starling devices`)");
      }
      String shipped = engine.identity().settings().get(TileChoices.SETTING);
      for (int d : dimensions) {
        List<String> worthTrying = choices.tileCandidates(d);
        // Few dimensions have kernels without tiles, which are measured once.
        for (String tiles : worthTrying.isEmpty() ? List.of(shipped) : worthTrying) {
          all.computeIfAbsent(tiles, t -> new TreeSet<>()).add(d);
        }
      }
    }
    return all;
  }

  private void measure(Engine engine, String tiles, int[] d) {
    Certificate c = certifier.tiles(engine, d, m -> measurements++);
    settings++;
    passed &= c.passed();
    double worst = 0;
    int cases = 0;
    for (Certificate.Line line : c.lines()) {
      // Math.max keeps NaN.
      worst = Math.max(worst, line.worstShare());
      cases += line.cases();
    }
    if (json) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("tiles", tiles);
      facts.put("precision", Specification.word(engine.precision()));
      facts.put("storage", Specification.word(engine.storage()));
      facts.put("d", d);
      facts.put("measurements", cases);
      facts.put("worst_share", worst);
      facts.put("passed", c.passed());
      facts.put("failures", c.lines().stream().filter(l -> !l.passed()).toList());
      terminal.out().println(JsonMapper.builder().build().writeValueAsString(facts));
      return;
    }
    terminal
        .out()
        .printf(
            Locale.ROOT,
            "%-6s %-4s %-52s %4d measurements, worst %.2g of what is allowed  %s%n",
            Specification.word(engine.precision()),
            engine.storage() == Storage.HALF ? "half" : "",
            tiles,
            cases,
            worst,
            c.passed() ? "ok" : "FAILED");
    for (Certificate.Line line : c.lines()) {
      if (!line.passed()) {
        terminal.out().println("FAILED " + line.variant() + ": " + line.remark());
      }
    }
  }
}
