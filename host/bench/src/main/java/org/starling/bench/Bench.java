package org.starling.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;

/** Measures a device: its limits, then what the engines reach of them. */
public final class Bench {
  private final Subjects subjects;
  private final BenchOptions options;
  private final Consumer<Row> listener;

  /**
   * @param listener told each row as it is measured
   */
  public Bench(Subjects subjects, BenchOptions options, Consumer<Row> listener) {
    this.subjects = subjects;
    this.options = options;
    this.listener = listener;
  }

  /** Ids of all rows that these options and this device give, chosen by {@code only} or not. */
  public static List<String> ids(BenchOptions options, DeviceInfo device) {
    return Programme.of(options, device).stream().flatMap(c -> c.ids().stream()).toList();
  }

  /** Runs the programme. */
  public BenchReport run() {
    long start = System.nanoTime();
    List<Row> rows = new ArrayList<>();
    Map<String, Object> machine = new LinkedHashMap<>();
    try (Workshop shop = new Workshop(subjects, options)) {
      for (Case c : Programme.of(options, subjects.device())) {
        Set<String> wanted = new LinkedHashSet<>(c.ids());
        wanted.removeIf(id -> !options.wants(id));
        if (wanted.isEmpty()) {
          continue;
        }
        boolean late = (System.nanoTime() - start) * 1e-9 > options.limitSeconds();
        for (Row row : late ? late(c) : measure(c, shop)) {
          if (wanted.contains(row.id())) {
            rows.add(row);
            listener.accept(row);
          }
        }
      }
      describe(shop, machine);
    }
    return new BenchReport(machine, rows, (System.nanoTime() - start) * 1e-9);
  }

  private List<Row> late(Case c) {
    String why = "the time limit of " + Math.round(options.limitSeconds()) + " s was reached";
    return c.ids().stream().map(id -> Row.skipped(id, "", why)).toList();
  }

  /** A shape that a device refuses, for want of memory say, costs its own rows only. */
  private static List<Row> measure(Case c, Workshop shop) {
    try {
      return c.measure(shop);
    } catch (EngineException e) {
      if (e.kind() == EngineException.Kind.DEVICE_FAILURE) {
        throw e;
      }
      return c.ids().stream().map(id -> Row.skipped(id, "", e.getMessage())).toList();
    }
  }

  private void describe(Workshop shop, Map<String, Object> machine) {
    DeviceInfo d = subjects.device();
    machine.put("device", d.name());
    machine.put("device_id", d.id());
    machine.put("device_type", d.type());
    machine.put("device_properties", d.properties());
    machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("arch", System.getProperty("os.arch"));
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("jdk", Runtime.version() + " " + System.getProperty("java.vendor"));
    List<Object> engines = new ArrayList<>();
    for (Engine e : shop.engines()) {
      Map<String, Object> identity = new LinkedHashMap<>();
      identity.put("kernel_hash", e.identity().kernelHash());
      identity.put("settings", e.identity().settings());
      engines.add(identity);
    }
    machine.put("engines", engines);
    if (shop.peersStarted()) {
      machine.put("peers", shop.peers().about());
    }
    machine.put("quick", options.quick());
    machine.put("repetitions", options.repetitions());
  }
}
