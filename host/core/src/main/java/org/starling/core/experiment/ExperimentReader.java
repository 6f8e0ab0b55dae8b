package org.starling.core.experiment;

import java.util.List;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Layer;

/** Reads a whole experiment, but for its sweep, from the root of its tree. */
final class ExperimentReader {
  private final Binding binding;

  ExperimentReader(Binding binding) {
    this.binding = binding;
  }

  Experiment read(Node root) {
    if (!(root instanceof Node.Mapping)) {
      binding.problems.add(root.at(), "an experiment is a mapping of keys, not " + root.describe());
      binding.problems.throwIfAny();
    }
    Node.Mapping mapping = (Node.Mapping) root;
    Section top = new Section(binding, mapping, "");
    ModelSpec model = new ModelReader(binding).read(top.section("model"));
    TokensSpec tokens = new TokensReader(binding).read(top.section("tokens"), model.geometry());
    RunReader run = new RunReader(binding, model.geometry());
    IntegratorSpec integrator = run.integrator(top.section("integrator"), model);
    StopSpec stop = run.stop(top.section("stop"), top.take("events"));
    List<ObservableSpec> observe =
        new ObserveReader(binding, run).read(top.take("observe"), model.geometry());
    SaveSpec save = run.save(top.section("save"), stop.t(), integrator);
    CheckSpec check = run.check(top.take("check"), root);
    long seed = top.integer("seed", 0L, 0L);
    ExecutionSpec execution = run.execution(top.section("execution"));
    alike(tokens, model, integrator, observe);
    top.take(SweepKeys.SWEEP); // read before, see SweptFile
    top.take(ClaimReader.CLAIM); // says nothing about the run
    top.done();
    enoughLayers(model, stop);
    return new Experiment(
        model, tokens, integrator, stop, observe, save, check, seed, null, execution);
  }

  /** Tokens that differ from one another exclude what treats all alike. */
  private void alike(
      TokensSpec tokens, ModelSpec model, IntegratorSpec integrator, List<ObservableSpec> observe) {
    Position at = binding.where.get("tokens.frozen");
    String key =
        tokens.frozen() != null
            ? "tokens.frozen"
            : tokens.weights() != null
                ? "tokens.weights"
                : model.sink() != null
                    ? "model.sink"
                    : model.slopes() != null ? "model.mask" : null;
    if (key != null && integrator.merging() != null) {
      binding.problems.add(
          binding.where.get(key),
          key + ": " + Layer.ROLES_NOT_MERGED + "; leave out integrator.merge");
    }
    String reason =
        Layer.whyNotKeyed(
            model.mask(),
            model.normalisation(),
            model.interaction() != null,
            tokens.weights() != null,
            false);
    if (tokens.weights() != null && reason != null) {
      binding.problems.add(binding.where.get("tokens.weights"), "tokens.weights: " + reason);
    }
    if (observe.stream().anyMatch(o -> o.key().equals("attention-entropy"))
        && (tokens.weights() != null
            || model.sink() != null
            || model.slopes() != null
            || model.mask().gaps())) {
      binding.problems.add(
          binding.where.get("observe"),
          "observe: attention-entropy is measured for keys that are alike; leave it out where keys"
              + " have weights, a sink or first keys for all, or heads slopes of their own");
    }
    if (tokens.frozen() != null && model.feedForward() != null) {
      binding.problems.add(
          at,
          "tokens.frozen: a feed-forward term moves every token; leave out model.feed_forward, or"
              + " frozen tokens");
    }
    if (tokens.frozen() != null && model.noise() != null) {
      binding.problems.add(
          at, "tokens.frozen: noise moves every token; leave out model.noise, or frozen tokens");
    }
  }

  private void enoughLayers(ModelSpec model, StopSpec stop) {
    int listed =
        Math.max(
            model.q().layers().size(),
            Math.max(model.k().layers().size(), model.v().layers().size()));
    Position stopAt = binding.where.get("stop.t");
    if (stopAt != null && listed > 1 && stop.t() > listed * model.layerTime()) {
      binding.problems.add(
          stopAt,
          "stop.t = "
              + YamlNumbers.text(stop.t())
              + " reaches beyond the "
              + listed
              + " layers listed, which last "
              + YamlNumbers.text(model.layerTime())
              + " each (model.layer_time)");
    }
  }
}
