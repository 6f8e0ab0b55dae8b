package org.starling.bench.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;

/**
 * Everything found for one device.
 *
 * @param device name of the device
 * @param driver its driver's version
 * @param platform its platform and version
 * @param kernelHash hash of the kernels that were measured
 * @param made when, for a person
 * @param entries one for each precision, mask and dimension
 */
public record Tuning(
    String device,
    String driver,
    String platform,
    String kernelHash,
    String made,
    List<Tuned> entries) {
  /** Version of the file's layout. */
  static final String FORMAT = "starling-tuning/1";

  /** A dimension may differ from a measured one by this factor. */
  private static final double REACH = 2;

  public Tuning {
    entries = List.copyOf(entries);
  }

  /** Without entries, for the device of an engine. */
  public static Tuning none(EngineIdentity of, String made) {
    return new Tuning(of.device(), of.driver(), of.platform(), of.kernelHash(), made, List.of());
  }

  /** Whether it was measured with what this engine computes with. */
  public boolean measuredWith(EngineIdentity now) {
    return staleness(now).isEmpty();
  }

  /** What has changed since it was measured; empty if nothing has. */
  public Optional<String> staleness(EngineIdentity now) {
    if (!driver.equals(now.driver()) || !platform.equals(now.platform())) {
      return Optional.of("with another driver (" + platform + ", " + driver + ")");
    }
    return kernelHash.equals(now.kernelHash())
        ? Optional.empty()
        : Optional.of("with the kernels of another version");
  }

  /** This with a further entry, which takes the place of an earlier one for the same. */
  public Tuning with(Tuned fresh, String when) {
    List<Tuned> all = new ArrayList<>();
    for (Tuned t : entries) {
      if (t.precision() != fresh.precision()
          || t.causal() != fresh.causal()
          || t.d() != fresh.d()) {
        all.add(t);
      }
    }
    all.add(fresh);
    all.sort(
        java.util.Comparator.comparing(Tuned::precision)
            .thenComparing(Tuned::causal)
            .thenComparing(Tuned::d));
    return new Tuning(device, driver, platform, kernelHash, when, all);
  }

  /**
   * The entry for a run: of its mask and precision, of the dimension nearest to its own by ratio;
   * empty if none is within a factor of two.
   */
  public Optional<Tuned> find(Precision precision, boolean causal, int d) {
    Precision measured = precision == Precision.DOUBLE ? Precision.DOUBLE : Precision.SINGLE;
    Tuned best = null;
    double nearest = Math.log(REACH) + 1e-12;
    for (Tuned t : entries) {
      double distance = Math.abs(Math.log((double) d / t.d()));
      if (t.precision() == measured && t.causal() == causal && distance <= nearest) {
        nearest = distance;
        best = t;
      }
    }
    return Optional.ofNullable(best);
  }

  public Map<String, Object> asMap() {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("format", FORMAT);
    m.put("device", device);
    m.put("driver", driver);
    m.put("platform", platform);
    m.put("kernel_hash", kernelHash);
    m.put("made", made);
    m.put("entries", entries.stream().map(Tuned::asMap).toList());
    return m;
  }

  static Tuning of(Map<String, Object> m) {
    String format = Tuned.text(m, "format");
    if (!format.equals(FORMAT)) {
      throw new IllegalArgumentException("its format is " + format + ", not " + FORMAT);
    }
    List<Tuned> entries = new ArrayList<>();
    for (Object o : (List<?>) m.get("entries")) {
      entries.add(Tuned.of((Map<?, ?>) o));
    }
    return new Tuning(
        Tuned.text(m, "device"),
        Tuned.text(m, "driver"),
        Tuned.text(m, "platform"),
        Tuned.text(m, "kernel_hash"),
        Tuned.text(m, "made"),
        entries);
  }
}
