package org.starling.app;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.starling.app.doctor.EnvironmentFault;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.Summation;
import org.starling.core.verify.Certificate;
import org.starling.core.verify.CertificateStore;
import org.starling.core.verify.Certifier;
import org.starling.core.verify.Need;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;

/**
 * What is known of an engine's correctness before a run, for the summary and the manifest.
 *
 * @param sentence for a person
 * @param facts for the manifest
 */
record Trust(String sentence, Map<String, Object> facts) {

  /**
   * Certifies what a run will launch, unless told not to.
   *
   * @param engine the engine of the run
   * @param another the same device opened for one way of summing
   * @throws CommandException if the device computes one of the variants wrongly
   */
  static Trust establish(
      Engine engine,
      Function<Summation, Engine> another,
      Need need,
      boolean certify,
      Terminal terminal,
      boolean quiet) {
    if (engine.identity().engine().equals("reference")) {
      return new Trust("the reference engine is the definition", Map.of("status", "definition"));
    }
    if (!certify) {
      return new Trust(
          "NOT certified (--no-certify): nobody has compared this device with the reference",
          Map.of("status", "not certified"));
    }
    CertificateStore store = new CertificateStore(terminal.certificates());
    Certificate c;
    try (Engine definition = new ReferenceEngine()) {
      Certifier certifier =
          new Certifier(store, definition, new ReferenceJudge(), e -> notStored(e, terminal));
      AtomicBoolean told = new AtomicBoolean(quiet);
      Runnable first =
          () -> {
            if (!told.getAndSet(true)) {
              terminal.say(
                  "first use of this device for such a run: comparing it with the reference");
            }
          };
      Need series = need.part(true);
      if (series.variants().isEmpty()) {
        c = certifier.ensure(engine, need, first);
      } else {
        // Rows that a series cannot do are summed by pairs, so both are needed.
        EngineIdentity identity = engine.identity();
        Need pairs = need.part(false);
        certifier.ensure(identity, pairs, () -> another.apply(Summation.PAIRS), first);
        c = certifier.ensure(identity, series, () -> another.apply(Summation.EXPANSION), first);
      }
    }
    Set<String> labels = need.labels();
    refuse(c, labels, store);
    return new Trust(sentence(c, labels), facts(c, labels));
  }

  /** A home that cannot be written costs time at the next run, nothing else. */
  static void notStored(IOException e, Terminal terminal) {
    terminal.say("warning: " + EnvironmentFault.NO_CACHE.sentence() + " (" + e + ")");
  }

  private static void refuse(Certificate c, Set<String> labels, CertificateStore store) {
    if (c.failures(labels).isEmpty()) {
      return;
    }
    Certificate.Line bad = c.failures(labels).get(0);
    throw new CommandException(
        ExitCode.ENVIRONMENT,
        "this device computes wrongly: "
            + bad.variant()
            + ": "
            + bad.remark()
            + ". Choose another device (`starling devices`), or run all the same with --no-certify;"
            + " the results are then marked. Certificate: "
            + store.file(c.id()));
  }

  private static String sentence(Certificate c, Set<String> labels) {
    double share = 0;
    for (Certificate.Line l : c.lines()) {
      boolean counts =
          labels.contains(l.variant()) && c.storageError(Set.of(l.variant())).isEmpty();
      if (counts && l.worst() > 0) {
        share = Math.max(share, l.worstShare());
      }
    }
    return String.format(
        Locale.ROOT,
        "certificate %s%s, worst error %.2g of what is allowed",
        c.id(),
        c.partial() ? " (partial: what runs needed so far)" : "",
        share);
  }

  private static Map<String, Object> facts(Certificate c, Set<String> labels) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("status", c.partial() ? "partial" : "full");
    facts.put("id", c.id());
    c.storageError(labels)
        .ifPresent(
            line -> {
              Map<String, Object> error = new LinkedHashMap<>();
              error.put("median", line.median());
              error.put("worst", line.worst());
              facts.put("error_of_half_storage", error);
            });
    return facts;
  }
}
