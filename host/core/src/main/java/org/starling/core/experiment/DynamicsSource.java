package org.starling.core.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.experiment.ModelSpec.InteractionSpec;
import org.starling.core.experiment.ModelSpec.ScoreScale;
import org.starling.core.experiment.ModelSpec.SinkSpec;
import org.starling.core.model.Dynamics;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Interaction;
import org.starling.core.model.Philox.Purpose;
import org.starling.core.model.Sink;
import org.starling.core.model.WeightSchedule;

/**
 * Makes dynamics of model specs. What two of them have in common is one object: equal dynamics,
 * equal weights, and files, which are read once.
 */
final class DynamicsSource {
  /** Weights and the seed they are drawn from; null where no seed decides. */
  private record WeightKey(WeightSpec spec, Purpose purpose, Long seed) {}

  private record ScheduleKey(WeightKey q, WeightKey k, WeightKey v, int heads) {}

  private record Key(ModelSpec model, Long seed) {}

  private final ExperimentFile file;
  private final InputLoader loader;
  private final int d;
  private final Problems problems;
  private final Map<WeightKey, WeightSource> sources = new HashMap<>();
  private final Map<ScheduleKey, WeightSchedule> schedules = new HashMap<>();
  private final Map<InteractionSpec, Interaction> interactions = new HashMap<>();
  private final Map<Key, Dynamics> made = new HashMap<>();

  DynamicsSource(ExperimentFile file, InputLoader loader, int d, Problems problems) {
    this.file = file;
    this.loader = loader;
    this.d = d;
    this.problems = problems;
  }

  /**
   * The dynamics of a model.
   *
   * @param seed the experiment's, for weights without one of their own
   * @throws ExperimentException if an input is missing or does not fit
   */
  Dynamics of(ModelSpec model, long seed) {
    boolean drawn =
        model.q().drawnFromSeed() || model.k().drawnFromSeed() || model.v().drawnFromSeed();
    FeedForwardSpec term = model.feedForward();
    drawn |= term != null && (term.w1().drawnFromSeed() || term.w2().drawnFromSeed());
    Key key = new Key(model, drawn ? seed : null);
    Dynamics known = made.get(key);
    if (known == null) {
      known = make(model, seed);
      made.put(key, known);
    }
    return known;
  }

  private Dynamics make(ModelSpec model, long seed) {
    WeightSource q = source(model, model.q(), Purpose.QUERY, seed, "model.Q");
    WeightSource k = source(model, model.k(), Purpose.KEY, seed, "model.K");
    WeightSource v = source(model, model.v(), Purpose.VALUE, seed, "model.V");
    Interaction interaction = model.interaction() == null ? null : interaction(model.interaction());
    FeedForward term = feedForward(model.feedForward(), seed);
    problems.throwIfAny();
    ScheduleKey key =
        new ScheduleKey(
            key(model.q(), Purpose.QUERY, seed),
            key(model.k(), Purpose.KEY, seed),
            key(model.v(), Purpose.VALUE, seed),
            model.heads());
    WeightSchedule schedule =
        schedules.computeIfAbsent(key, absent -> schedule(model.heads(), q, k, v));
    double scale = model.scoreScale() == ScoreScale.INV_SQRT_D ? 1 / Math.sqrt(d) : 1;
    return plain(model, schedule, scale, interaction)
        .withSink(sink(model.sink()))
        .withSlopes(slopes(model.slopes()))
        .withScheme(model.scheme())
        .withFeedForward(term);
  }

  private static double[] slopes(List<Double> given) {
    return given == null ? null : given.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private Sink sink(SinkSpec spec) {
    if (spec == null) {
      return null;
    }
    double[] place = new double[d];
    if (spec.place() != null && spec.place().size() != d) {
      problems.add(
          file.where("model.sink.place"),
          "model.sink.place has " + spec.place().size() + " coordinates, but d = " + d);
      problems.throwIfAny();
    }
    for (int c = 0; spec.place() != null && c < d; c++) {
      place[c] = spec.place().get(c);
    }
    return new Sink(spec.score(), place);
  }

  private static Dynamics plain(
      ModelSpec model, WeightSchedule schedule, double scale, Interaction interaction) {
    return new Dynamics(
        model.geometry(),
        model.mask(),
        model.normalisation(),
        model.beta() * scale,
        schedule,
        model.layerTime(),
        interaction,
        model.noise() == null ? 0 : model.noise().amplitude());
  }

  private FeedForward feedForward(FeedForwardSpec spec, long seed) {
    if (spec == null) {
      return null;
    }
    String path = "model.feed_forward";
    WeightSource in = one(spec.w1(), Purpose.FEED_IN, seed, path + ".W1");
    WeightSource out = one(spec.w2(), Purpose.FEED_OUT, seed, path + ".W2");
    int given = spec.bias().size();
    if (given != 0 && given != d) {
      problems.add(
          file.where(path + ".bias"),
          path + ".bias has " + given + " entries, but tokens have d = " + d);
    }
    problems.throwIfAny();
    double[] bias =
        given == 0 ? null : spec.bias().stream().mapToDouble(Double::doubleValue).toArray();
    return new FeedForward(spec.of(), spec.activation(), in.matrix(0, 0), bias, out.matrix(0, 0));
  }

  private WeightSource one(WeightSpec spec, Purpose purpose, long seed, String path) {
    return WeightSource.load(spec, purpose, seed, d, 1, true, path, file, loader, problems);
  }

  private WeightSchedule schedule(int heads, WeightSource q, WeightSource k, WeightSource v) {
    int layers = Math.max(q.layers(), Math.max(k.layers(), v.layers()));
    sameRows(heads, layers, q, k);
    problems.throwIfAny();
    Weights weights = new Weights(heads, layers > 1 ? layers : Integer.MAX_VALUE, q, k, v);
    boolean varies = q.varies() || k.varies() || v.varies();
    return varies ? weights : WeightSchedule.constant(weights.heads(0));
  }

  private Interaction interaction(InteractionSpec spec) {
    if (!interactions.containsKey(spec)) {
      try {
        interactions.put(spec, UserInteraction.bind(spec.className(), spec.classpath()));
      } catch (IllegalArgumentException e) {
        problems.add(file.where("model.interaction"), e.getMessage());
      }
    }
    return interactions.get(spec);
  }

  private static WeightKey key(WeightSpec spec, Purpose purpose, long seed) {
    return new WeightKey(spec, purpose, spec.drawnFromSeed() ? seed : null);
  }

  private WeightSource source(
      ModelSpec model, WeightSpec spec, Purpose purpose, long seed, String path) {
    WeightKey key = key(spec, purpose, seed);
    WeightSource source = sources.get(key);
    if (source == null) {
      source =
          WeightSource.load(
              spec,
              purpose,
              seed,
              d,
              model.heads(),
              purpose == Purpose.VALUE,
              path,
              file,
              loader,
              problems);
      sources.put(key, source);
    }
    return source;
  }

  /** Q and K of a head must have the same number of rows. */
  private void sameRows(int heads, int layers, WeightSource q, WeightSource k) {
    for (int l = 0; l < layers; l++) {
      for (int h = 0; h < heads; h++) {
        int a = q.rows(l, h);
        int b = k.rows(l, h);
        if (a != b) {
          problems.add(
              file.where("model.K"),
              "model.K has "
                  + b
                  + " rows but model.Q has "
                  + a
                  + " (head "
                  + h
                  + (layers > 1 ? ", layer " + l : "")
                  + "): they need the same number of rows");
          return;
        }
      }
    }
  }
}
