package org.starling.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starling.app.device.Selection;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.model.Precision;
import org.starling.core.verify.Certificate;
import org.starling.core.verify.CertificateStore;
import org.starling.core.verify.Certifier;
import org.starling.core.verify.Measurement;
import org.starling.core.verify.VerificationTable;
import org.starling.core.verify.Verifier;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Measures a device against the float64 reference and stores the certificate. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Measure a device against the float64 reference.",
      "Every operation is measured and the result stored as a certificate. Exit code 3 if an error"
          + " is above what is allowed."
    })
final class VerifyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private DeviceOption device;

  @Option(
      names = "--precision",
      paramLabel = "P",
      description =
          "single (default), mixed or double. With --every-tile the default is single and double.")
  private Precision asked;

  private Precision precision;

  @Option(
      names = "--full",
      description = "Also beta 128 and 1000, d = 1024, tighter clusters and larger sizes.")
  private boolean full;

  @Option(
      names = "--every-tile",
      description =
          "Instead, every setting of tile sizes that `tune` may choose on this device, with a"
              + " certificate for each. Minutes.")
  private boolean everyTile;

  @Option(
      names = "--d",
      paramLabel = "D",
      split = ",",
      description =
          "Dimensions for --every-tile; up to 8 have kernels without tiles, which are measured all"
              + " the same. Default: those of `tune`.")
  private int[] dimensions = TuneCommand.DIMENSIONS;

  @Option(
      names = "--limit",
      paramLabel = "SECONDS",
      description =
          "Stop after so many seconds; what was measured by then is shown, but no certificate is"
              + " stored.")
  private double limit = Double.POSITIVE_INFINITY;

  @Option(names = "--json", description = "The certificate as JSON lines, for programs.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress.")
  private boolean quiet;

  VerifyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    precision = asked == null ? Precision.SINGLE : asked;
    Selection selection = device.choose(terminal, null, precision, false, quiet);
    if (everyTile) {
      for (int d : dimensions) {
        if (d < 1 || d > TuneCommand.LARGEST) {
          throw new CommandException(
              ExitCode.USAGE, "--d " + d + ": must be from 1 to " + TuneCommand.LARGEST);
        }
      }
      return new TileVerification(terminal, selection, dimensions, json)
          .run(TuneCommand.precisions(asked, selection));
    }
    CertificateStore store = new CertificateStore(terminal.certificates());
    List<Measurement> measured = new ArrayList<>();
    long start = System.nanoTime();
    try (Engine engine =
            selection.open(EngineOptions.of(precision).withSummation(Summation.PAIRS));
        Engine expanding = expanding(selection);
        Engine halving = halving(selection);
        Engine definition = new ReferenceEngine()) {
      Certifier certifier =
          new Certifier(store, definition, new ReferenceJudge(), e -> Trust.notStored(e, terminal));
      Certificate certificate;
      boolean whole = true;
      try {
        certificate =
            certifier.all(
                engine,
                expanding,
                halving,
                full ? Verifier.Extent.FULL : Verifier.Extent.STANDARD,
                m -> {
                  measured.add(m);
                  progress(m, measured.size());
                  if ((System.nanoTime() - start) * 1e-9 > limit) {
                    throw new TimeIsUp();
                  }
                });
      } catch (TimeIsUp e) {
        whole = false;
        certificate = Certificate.of(Certificate.Key.of(engine.identity()), true, measured);
      }
      if (!quiet && terminal.interactive()) {
        terminal.say("");
      }
      return report(measured, certificate, whole ? store : null);
    }
  }

  /** The device opened for sums by a series; null if it has none. */
  private Engine expanding(Selection selection) {
    try {
      Engine engine =
          selection.open(EngineOptions.of(precision).withSummation(Summation.EXPANSION));
      try {
        engine.expands(new Shape(1, 1, 2), Verifier.expandedLayer());
        return engine;
      } catch (EngineException e) {
        engine.close();
        throw e;
      }
    } catch (EngineException e) {
      if (e.kind() != EngineException.Kind.REQUEST) {
        throw e;
      }
      return null;
    }
  }

  /** The device opened for keys and values of 16 bits; null if it has none. */
  private Engine halving(Selection selection) {
    try {
      return selection.open(EngineOptions.of(precision).withStorage(Storage.HALF));
    } catch (EngineException e) {
      if (e.kind() != EngineException.Kind.REQUEST) {
        throw e;
      }
      return null;
    }
  }

  /** Ends the measurements at the time limit. */
  private static final class TimeIsUp extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void progress(Measurement m, int count) {
    if (quiet) {
      return;
    }
    if (terminal.interactive()) {
      terminal.err().printf("\r%5d  %-60.60s", count, m.operation() + "  " + m.variant());
      terminal.err().flush();
    } else if (count % 100 == 0) {
      terminal.say(count + " measurements");
    }
  }

  /**
   * @param store where the certificate is; null if the measurements are incomplete, and it is not
   */
  private int report(List<Measurement> measured, Certificate certificate, CertificateStore store) {
    VerificationTable table = VerificationTable.of(measured);
    if (json) {
      JsonMapper mapper = JsonMapper.builder().build();
      Map<String, Object> header = new LinkedHashMap<>();
      header.put("certificate", store == null ? null : certificate.id());
      header.put("passed", certificate.passed());
      header.put("key", certificate.key());
      terminal.out().println(mapper.writeValueAsString(header));
      table.rows().forEach(r -> terminal.out().println(mapper.writeValueAsString(r)));
    } else {
      terminal.out().print(table.text());
      terminal
          .out()
          .printf(
              "%s: %d measurements in %s precision on %s%n",
              certificate.passed() ? "PASSED" : "FAILED",
              measured.size(),
              certificate.lines().isEmpty()
                  ? "no"
                  : precision.name().toLowerCase(java.util.Locale.ROOT),
              certificate.key().device());
      terminal
          .out()
          .println(
              store == null
                  ? "INCOMPLETE: the time limit was reached, no certificate is stored"
                  : "certificate " + certificate.id() + " in " + store.file(certificate.id()));
    }
    return certificate.passed() ? ExitCode.DONE : ExitCode.ENVIRONMENT;
  }
}
