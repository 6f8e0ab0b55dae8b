package org.starling.bench;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.model.Precision;

/** Engines, limits and peers while rows are measured; each is opened when first needed. */
final class Workshop implements AutoCloseable {
  private final Subjects subjects;
  private final BenchOptions options;
  private final Map<Precision, Engine> engines = new EnumMap<>(Precision.class);
  private final Map<Precision, Limits> limits = new EnumMap<>(Precision.class);
  private Engine expanding;
  private Engine java;
  private Engine processor;
  private Limits processorLimits;
  private PythonPeers peers;

  Workshop(Subjects subjects, BenchOptions options) {
    this.subjects = subjects;
    this.options = options;
  }

  Subjects subjects() {
    return subjects;
  }

  int repetitions() {
    return options.repetitions();
  }

  Goals goals() {
    return Goals.of(subjects.device());
  }

  Engine engine(Precision precision) {
    return engines.computeIfAbsent(precision, subjects.engine()::open);
  }

  /** Float32 with sums by a series. */
  Engine expanding() {
    if (expanding == null) {
      expanding = subjects.expanding().open(Precision.SINGLE);
    }
    return expanding;
  }

  Limits limits(Precision precision) {
    return limits.computeIfAbsent(precision, p -> new Limits(engine(p)));
  }

  Map<Precision, Limits> limits() {
    return limits;
  }

  Map<Precision, Engine> engines() {
    return engines;
  }

  Engine java() {
    if (java == null) {
      java = subjects.java().open(Precision.SINGLE);
    }
    return java;
  }

  /** Limits of the processor that {@link #java} runs on, float32; null where nothing shows them. */
  Limits processor() {
    if (subjects.device().type().equals("cpu")) {
      return limits(Precision.SINGLE);
    }
    if (processor == null && subjects.processor() != null) {
      processor = subjects.processor().open(Precision.SINGLE);
      processorLimits = new Limits(processor);
    }
    return processorLimits;
  }

  /** The peers; starts them. */
  PythonPeers peers() {
    if (peers == null) {
      peers = PythonPeers.start();
    }
    return peers;
  }

  boolean peersStarted() {
    return peers != null;
  }

  static String word(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    if (peers != null) {
      peers.close();
    }
    limits.values().forEach(Limits::close);
    engines.values().forEach(Engine::close);
    if (processor != null) {
      processorLimits.close();
      processor.close();
    }
    if (expanding != null) {
      expanding.close();
    }
    if (java != null) {
      java.close();
    }
  }
}
