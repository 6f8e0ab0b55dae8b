package org.starling.app;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
    return of(resolved, text, resolved.shape(), resolved.positions());
  }

  /**
   * The run with a single coordinate in place of its tokens: enough to plan it, before there is
   * memory for them.
   *
   * @throws CommandException if the model gives no meaning to what is asked for
   */
  static RunSpec outline(ResolvedExperiment resolved) {
    check(resolved);
    return of(resolved, "", new Shape(1, 1, 1), new double[1]);
  }

  private static RunSpec of(
      ResolvedExperiment resolved, String text, Shape shape, double[] positions) {
    Experiment e = resolved.experiment();
    return new RunSpec(
        resolved.id(),
        text,
        shape,
        positions,
        List.of(resolved.dynamics()),
        resolved.integrator(),
        e.stop().t(),
        outputs(e.save().schedule()),
        Boolean.TRUE.equals(e.save().trajectory()),
        observers(e.observe()),
        stops(e.stop()),
        e.seed(),
        List.of());
  }

  /** Refuses what the model gives no meaning to. */
  private static void check(ResolvedExperiment resolved) {
    try {
      Integrators.check(resolved.integrator(), resolved.dynamics());
      for (ObservableSpec o : resolved.observe()) {
        Observers.check(o.key(), resolved.dynamics());
      }
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage());
    }
    double beta = firstLayer(resolved.dynamics()).beta();
    if (Math.abs(beta) > LARGEST_BETA
        && resolved.experiment().execution().precision() != Precision.DOUBLE) {
      throw new CommandException(
          ExitCode.USAGE,
          "beta = "
              + beta
              + " leaves no room in float32 (at most "
              + LARGEST_BETA
              + "): use --precision double, or the limit normalisation: hardmax");
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

  private static List<Observer> observers(List<ObservableSpec> specs) {
    List<Observer> all = new ArrayList<>();
    for (ObservableSpec spec : specs) {
      if (spec instanceof ObservableSpec.Clusters c) {
        all.add(Observers.clusters(c.linkage(), c.threshold(), ""));
      } else if (spec instanceof ObservableSpec.InnerProducts p) {
        all.add(Observers.innerProducts(p.bins()));
      } else {
        all.add(Observers.named(spec.key()));
      }
    }
    return all;
  }

  private static List<StopRule> stops(StopSpec stop) {
    StopSpec.Condition c = stop.when();
    return c == null
        ? List.of()
        : List.of(new StopRule.Clusters(c.linkage(), c.threshold(), c.clusters(), 0));
  }

  /**
   * The layer in force a little after the start, where rescaled weights have their general form.
   */
  static Layer firstLayer(Dynamics dynamics) {
    double t = dynamics.autonomous() ? 0 : Math.min(0.5, dynamics.layerTime() / 2);
    return dynamics.at(t, 0);
  }

  /** The variants of an engine that a run of these dynamics launches. */
  static Set<Variant> variants(Dynamics dynamics, Precision precision) {
    Set<Variant> all = new LinkedHashSet<>();
    all.add(Variant.of(firstLayer(dynamics), precision));
    if (!dynamics.weights().constant()) {
      int layers = Math.min(LAYERS, dynamics.weights().layers());
      for (int l = 1; l < layers; l++) {
        all.add(Variant.of(dynamics.at(dynamics.start(l), l), precision));
      }
    }
    return all;
  }

  /** What the run's certificate has to cover. */
  static Need need(ResolvedExperiment resolved) {
    Set<String> observables = new LinkedHashSet<>();
    resolved.observe().forEach(o -> observables.add(o.key()));
    Experiment e = resolved.experiment();
    if (e.stop().when() != null) {
      observables.add("clusters");
    }
    return new Need(variants(resolved.dynamics(), e.execution().precision()), observables);
  }

  /** A precision as the experiment file writes it. */
  static String word(Precision precision) {
    return precision.name().toLowerCase(Locale.ROOT);
  }
}
