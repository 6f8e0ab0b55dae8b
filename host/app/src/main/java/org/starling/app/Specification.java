package org.starling.app;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.ObservableSpec;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.experiment.SaveSpec.Schedule;
import org.starling.core.experiment.StopSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Observers;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunSpec;
import org.starling.core.run.StopRule;
import org.starling.core.verify.Need;
import org.starling.core.verify.Variant;

/** What a resolved experiment asks of the run loop and of an engine. */
final class Specification {
  /** Layers looked at for the forms of their weights; more of them repeat these in practice. */
  private static final int LAYERS = 16;

  /** Scores of a float32 engine stay finite up to here, with norms and weights up to thousands. */
  private static final double LARGEST_BETA = 1e30;

  private Specification() {}

  /**
   * The run, without where and how it is executed.
   *
   * @param text the resolved experiment as it stands in the run's directory
   */
  static RunSpec of(ResolvedExperiment resolved, String text) {
    return of(
            resolved,
            text,
            resolved.shape(),
            resolved.positions(),
            resolved.replicaDynamics(),
            replicas(resolved))
        .withNoise(resolved.noise());
  }

  /**
   * The run with a single coordinate in place of its tokens: enough to plan it, before there is
   * memory for them.
   *
   * @throws CommandException if the model gives no meaning to what is asked for
   */
  static RunSpec outline(ResolvedExperiment resolved) {
    if (resolved.experiment().sweep() != null) {
      // Before the points of the sweep are made.
      HostMemory.require(resolved.shape(), resolved.experiment().execution().precision(), 0);
    }
    check(resolved);
    return of(
        resolved, "", new Shape(1, 1, 1), new double[1], List.of(resolved.dynamics()), List.of());
  }

  private static RunSpec of(
      ResolvedExperiment resolved,
      String text,
      Shape shape,
      double[] positions,
      List<Dynamics> dynamics,
      List<Map<String, Object>> replicas) {
    Experiment e = resolved.experiment();
    StopSpec stop = e.stop();
    List<StopRule> stops = stop.when() == null ? List.of() : List.of(rule(stop.when()));
    RunSpec spec =
        new RunSpec(
            resolved.id(),
            text,
            shape,
            positions,
            dynamics,
            resolved.integrator(),
            e.stop().t(),
            outputs(e.save().schedule()),
            Boolean.TRUE.equals(e.save().trajectory()),
            observers(resolved),
            stops,
            e.seed(),
            replicas);
    return spec.noting(stop.events().stream().map(Specification::rule).toList());
  }

  /** What the lines of {@code replicas.jsonl} begin with; made when they are asked for. */
  private static List<Map<String, Object>> replicas(ResolvedExperiment resolved) {
    List<Map<String, Object>> parameters = resolved.parameters();
    int starts = resolved.experiment().tokens().replicas();
    return new AbstractList<>() {
      @Override
      public Map<String, Object> get(int r) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("parameters", parameters.get(r));
        facts.put("seed", resolved.seed(r));
        if (starts > 1) {
          facts.put("start", r % starts);
        }
        return facts;
      }

      @Override
      public int size() {
        return parameters.size();
      }
    };
  }

  /** Refuses what the model, at some point of a sweep, gives no meaning to. */
  private static void check(ResolvedExperiment resolved) {
    Precision precision = resolved.experiment().execution().precision();
    String reason = Integrators.whyNotOnHost(resolved.integrator(), resolved.shape(), precision);
    if (reason != null) {
      throw new CommandException(ExitCode.USAGE, "integrator: " + reason);
    }
    boolean single = precision != Precision.DOUBLE;
    for (Dynamics dynamics : resolved.distinctDynamics()) {
      try {
        Integrators.check(resolved.integrator(), dynamics);
        for (ObservableSpec o : resolved.observe()) {
          Observers.check(o.key(), dynamics);
        }
      } catch (IllegalArgumentException e) {
        throw new CommandException(ExitCode.USAGE, e.getMessage());
      }
      double beta = firstLayer(dynamics).beta();
      if (Math.abs(beta) > LARGEST_BETA && single) {
        throw new CommandException(
            ExitCode.USAGE,
            "beta = "
                + beta
                + " leaves no room in float32 (at most "
                + LARGEST_BETA
                + "): use --precision double, or the limit normalisation: hardmax");
      }
    }
  }

  private static OutputTimes outputs(Schedule schedule) {
    if (schedule instanceof Schedule.Every every) {
      return OutputTimes.every(every.interval());
    }
    if (schedule instanceof Schedule.Log log) {
      return OutputTimes.logSpaced(log.from(), log.to(), log.count());
    }
    return OutputTimes.at(((Schedule.Times) schedule).times());
  }

  /** What the run reports. */
  static List<Observer> observers(ResolvedExperiment resolved) {
    Experiment e = resolved.experiment();
    // A number a replica and observable is what a sweep keeps, unless it keeps positions too.
    boolean arrays = e.sweep() == null || Boolean.TRUE.equals(e.save().trajectory());
    List<Observer> all = new ArrayList<>();
    for (ObservableSpec spec : e.observe()) {
      if (spec instanceof ObservableSpec.Clusters c) {
        all.add(
            arrays
                ? Observers.clusters(c.linkage(), c.threshold(), "")
                : Observers.clusterCount(c.linkage(), c.threshold()));
      } else if (spec instanceof ObservableSpec.InnerProducts p) {
        all.add(arrays ? Observers.innerProducts(p.bins()) : Observers.innerProductRange());
      } else {
        all.add(Observers.named(spec.key()));
      }
    }
    return all;
  }

  private static StopRule rule(StopSpec.Condition c) {
    if (c instanceof StopSpec.Condition.Clusters k) {
      return new StopRule.Clusters(k.linkage(), k.threshold(), k.clusters(), k.everySteps());
    }
    if (c instanceof StopSpec.Condition.Merged m) {
      return new StopRule.Merged(m.linkage(), m.threshold(), m.from(), m.everySteps());
    }
    if (c instanceof StopSpec.Condition.Collapse k) {
      return new StopRule.Collapse(k.distance(), k.everySteps());
    }
    StopSpec.Condition.PlateauLeft p = (StopSpec.Condition.PlateauLeft) c;
    return new StopRule.PlateauLeft(p.within(), p.lasting(), p.everySteps());
  }

  /**
   * The layer in force a little after the start, where rescaled weights have their general form.
   */
  static Layer firstLayer(Dynamics dynamics) {
    double t = dynamics.autonomous() ? 0 : Math.min(0.5, dynamics.layerTime() / 2);
    return dynamics.at(t, 0);
  }

  /** {@link #firstLayer} of each replica; equal ones are one object. */
  static List<Layer> firstLayers(ResolvedExperiment resolved) {
    List<Dynamics> dynamics = resolved.replicaDynamics();
    if (resolved.distinctDynamics().size() == 1) {
      return Collections.nCopies(dynamics.size(), firstLayer(dynamics.get(0)));
    }
    return dynamics.stream().map(Specification::firstLayer).toList();
  }

  /** The variants of an engine that a run of these dynamics launches. */
  static Set<Variant> variants(ResolvedExperiment resolved, Engine engine) {
    Set<Variant> all = new LinkedHashSet<>();
    for (Dynamics dynamics : resolved.distinctDynamics()) {
      add(all, firstLayer(dynamics), resolved.shape(), engine);
      if (!dynamics.weights().constant()) {
        int layers = Math.min(LAYERS, dynamics.weights().layers());
        for (int l = 1; l < layers; l++) {
          add(all, dynamics.at(dynamics.start(l), l), resolved.shape(), engine);
        }
      }
    }
    return all;
  }

  private static void add(Set<Variant> all, Layer layer, Shape shape, Engine engine) {
    Variant pairs = Variant.of(layer, engine.precision()).stored(engine.storage());
    all.add(pairs);
    if (engine.expands(shape, layer)) {
      all.add(pairs.expanded());
    }
  }

  /** What the run's certificate has to cover. */
  static Need need(ResolvedExperiment resolved, Engine engine) {
    Set<String> observables = new LinkedHashSet<>();
    resolved.observe().forEach(o -> observables.add(o.key()));
    if (resolved.experiment().stop().when() != null) {
      observables.add("clusters");
    }
    Set<Variant> variants = variants(resolved, engine);
    if (resolved.integrator().merging() != null) {
      List.copyOf(variants).forEach(v -> variants.add(v.withMerged()));
    }
    boolean steady =
        resolved.distinctDynamics().stream()
            .allMatch(one -> one.autonomous() && one.weights().constant() && one.roles() == null);
    boolean noisy = resolved.distinctDynamics().stream().anyMatch(one -> one.noise() > 0);
    Need.Steps steps =
        steady && !noisy && resolved.integrator().merging() == null
            ? new Need.Steps(resolved.integrator().method(), resolved.shape())
            : null;
    return new Need(variants, observables, steps, noisy).on(engine);
  }

  /** A choice as the experiment file writes it. */
  static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }
}
