package org.starling.app.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.starling.app.device.DeviceCatalogue;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.verify.Measurement;
import org.starling.core.verify.Need;
import org.starling.core.verify.Variant;
import org.starling.core.verify.VerificationTable;
import org.starling.core.verify.Verifier;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;

/** A few seconds of comparison of each usable device with the reference. */
public final class SelfTest {
  private final DeviceCatalogue catalogue;

  public SelfTest(DeviceCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** A finding for each device that can be used, the reference itself left out. */
  public List<Finding> run() {
    List<Finding> found = new ArrayList<>();
    for (DeviceCatalogue.Entry e : catalogue.entries()) {
      DeviceInfo d = e.device();
      if (d.usable() && !d.engine().equals("reference")) {
        found.add(test(e));
      }
    }
    return found;
  }

  private static Finding test(DeviceCatalogue.Entry entry) {
    String subject = "self-test " + entry.device().id();
    long begin = System.nanoTime();
    try (Engine engine = entry.provider().open(entry.device(), EngineOptions.of(Precision.SINGLE));
        Engine definition = new ReferenceEngine()) {
      List<Measurement> measured =
          new Verifier(engine, definition, new ReferenceJudge(), m -> {}).needed(need());
      VerificationTable table = VerificationTable.of(measured);
      double seconds = (System.nanoTime() - begin) * 1e-9;
      if (table.passed()) {
        String text =
            String.format(
                Locale.ROOT,
                "%d measurements agree with the reference, %.1f s",
                measured.size(),
                seconds);
        return Finding.ok(subject, text);
      }
      VerificationTable.Row bad =
          table.rows().stream().filter(r -> !r.passed()).findFirst().orElseThrow();
      return new Finding(
          Finding.Level.ERROR,
          subject,
          "computes " + bad.operation() + " wrongly: " + bad.remark(),
          "Do not use this device; `starling verify --device "
              + entry.device().id()
              + "` measures everything. A newer driver may help.");
    } catch (EngineException | LinkageError e) {
      String next =
          EnvironmentFault.behind(e).map(EnvironmentFault::next).orElse("See the message.");
      return new Finding(Finding.Level.ERROR, subject, e.getMessage(), next);
    }
  }

  private static Need need() {
    Set<Variant> list = new LinkedHashSet<>();
    for (int d : new int[] {3, 64}) {
      list.add(
          new Variant(
              Geometry.SPHERE,
              d == 3 ? Mask.CAUSAL : Mask.FULL,
              Normalisation.SOFTMAX,
              Variant.Form.SCALAR,
              1,
              d,
              Precision.SINGLE,
              null));
    }
    return new Need(list, Set.of("energy", "clusters", "inner-products"));
  }
}
