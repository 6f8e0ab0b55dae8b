package org.starling.bench;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.model.Precision;

/** Engines, limits and peers while rows are measured; each is opened when first needed. */
final class Workshop implements AutoCloseable {
  private final Subjects subjects;
  private final BenchOptions options;
  private final Map<EngineOptions, Engine> engines = new LinkedHashMap<>();
  private final Map<Precision, Limits> limits = new EnumMap<>(Precision.class);
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

  /** An engine as it is shipped, for what has no tiles; sums pair by pair. */
  Engine engine(Precision precision) {
    return engine(EngineOptions.of(precision).withSummation(Summation.PAIRS));
  }

  /** The engine that a run of this kind would use, tuned tile sizes included. */
  Engine engine(Precision precision, boolean causal, int d) {
    return engine(subjects.tiles().options(precision, causal, d).withSummation(Summation.PAIRS));
  }

  /** The same with keys and values kept so; refused where the engine does not offer it. */
  Engine engine(Precision precision, boolean causal, int d, Storage storage) {
    return engine(
        subjects
            .tiles()
            .options(precision, causal, d)
            .withSummation(Summation.PAIRS)
            .withStorage(storage));
  }

  private Engine engine(EngineOptions options) {
    return engines.computeIfAbsent(options, subjects.engine()::open);
  }

  /** Float32 with sums by a series; refused where the engine has none. */
  Engine expanding() {
    return engine(EngineOptions.of(Precision.SINGLE).withSummation(Summation.EXPANSION));
  }

  Limits limits(Precision precision) {
    return limits.computeIfAbsent(precision, p -> new Limits(engine(p)));
  }

  Map<Precision, Limits> limits() {
    return limits;
  }

  Collection<Engine> engines() {
    return engines.values();
  }

  /**
   * Limits of the processor that the engine {@code java} runs on, float32; null where nothing shows
   * them.
   */
  Limits processor() {
    if (subjects.device().type().equals("cpu")) {
      return limits(Precision.SINGLE);
    }
    if (processor == null && subjects.processor() != null) {
      processor = subjects.processor().open(EngineOptions.of(Precision.SINGLE));
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
  }
}
