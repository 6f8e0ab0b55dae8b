package org.starling.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.DeviceProbes.Probe;
import org.starling.core.engine.Engine;

/** The limits of one engine's device in its precision, each found by the best of its probes. */
final class Limits implements AutoCloseable {
  /** Times that every probe of a limit is tried; the first builds its kernel. */
  private static final int ROUNDS = 6;

  private final Engine engine;
  private final Map<Limit, Found> found = new EnumMap<>(Limit.class);

  /**
   * A limit as measured.
   *
   * @param probe the best one, open, to be run again beside other work
   * @param rates flop, values or bytes a second, per repetition
   */
  record Found(Probe probe, double[] rates) {
    double rate() {
      return Statistics.median(rates);
    }
  }

  Limits(Engine engine) {
    this.engine = engine;
  }

  /** Whether the engine has probes at all. */
  boolean available() {
    return engine instanceof DeviceProbes;
  }

  /** The limit; its probes are tried on first use. */
  Found get(Limit limit, int repetitions) {
    Found known = found.get(limit);
    if (known == null) {
      known = measure(limit, repetitions);
      found.put(limit, known);
    }
    return known;
  }

  Map<Limit, Found> all() {
    return found;
  }

  private Found measure(Limit limit, int repetitions) {
    List<Probe> probes = new ArrayList<>(((DeviceProbes) engine).probes(limit));
    Probe best = null;
    double least = Double.POSITIVE_INFINITY;
    try {
      // In turn, so that a disturbance meets all of them and not the best one alone.
      for (int round = 0; round < ROUNDS; round++) {
        for (Probe p : probes) {
          long start = System.nanoTime();
          double work = p.run();
          engine.finish();
          double perWork = (System.nanoTime() - start) / work;
          if (round > 0 && perWork < least) {
            least = perWork;
            best = p;
          }
        }
      }
      Probe chosen = best;
      double work = chosen.run();
      engine.finish();
      Timing timing =
          Timing.interleaved(repetitions, List.of(Timing.queued(engine, chosen::run))).get(0);
      return new Found(chosen, timing.rates(work));
    } finally {
      for (Probe p : probes) {
        if (p != best) {
          p.close();
        }
      }
    }
  }

  /** The probe as an operation to time beside others, in units of its work. */
  Lap.Timed beside(Limit limit, int repetitions) {
    Probe p = get(limit, repetitions).probe();
    double work = p.run();
    engine.finish();
    Lap.Timed timed = Timing.queued(engine, p::run);
    return () -> {
      Lap lap = timed.run();
      return new Lap(lap.wall() / work, lap.cpu() / work);
    };
  }

  @Override
  public void close() {
    found.values().forEach(f -> f.probe().close());
    found.clear();
  }
}
