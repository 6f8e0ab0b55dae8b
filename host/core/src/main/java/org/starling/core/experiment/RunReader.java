package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.model.Scheme;
import org.starling.core.model.TokenRule;

/** Reads the blocks that say how a run goes: integrator, stop, save, check, execution. */
final class RunReader {
  private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(s|m|h|d)");
  private static final double STEP = 0.1;
  private static final double STEP_OF_ARCLENGTH = 1e-3;
  private static final int SAVES = 100;
  private static final int CHECK_EVERY = 50;
  private static final int CHECK_ROWS = 8;
  private static final double CHECKPOINT_SECONDS = 60;

  private final Binding binding;
  private final Geometry geometry;

  RunReader(Binding binding, Geometry geometry) {
    this.binding = binding;
    this.geometry = geometry;
  }

  IntegratorSpec integrator(Section s, ModelSpec model) {
    Method method = s.word("method", Method.class, Method.DOPRI5);
    double rtol = IntegratorSpec.DEFAULT_RTOL;
    double atol = IntegratorSpec.DEFAULT_ATOL;
    double dt = 0;
    double firstStep = 0;
    double minStep = 0;
    if (method.adaptive()) {
      rtol = s.number("rtol", rtol, Range.FRACTION);
      atol = s.number("atol", atol, Range.POSITIVE);
      firstStep = s.number("first_step", 0, Range.NON_NEGATIVE);
      minStep = s.number("min_step", 0, Range.NON_NEGATIVE);
      unused(s, method, "it chooses its steps by rtol and atol", "dt");
    } else {
      // A step of `layers` is one layer, so its natural size is the layer's duration.
      double usual =
          method == Method.LAYERS
              ? model.layerTime()
              : method == Method.ARCLENGTH ? STEP_OF_ARCLENGTH : STEP;
      dt = s.number("dt", usual, Range.POSITIVE);
      unused(
          s,
          method,
          "its step is dt; dopri5 is the method that chooses its steps",
          "rtol",
          "atol",
          "first_step",
          "min_step");
    }
    long maxSteps = s.integer("max_steps", IntegratorSpec.DEFAULT_MAX_STEPS, 1L);
    Merging merging = merging(s, model);
    s.done();
    if (method == Method.LAYERS && model.geometry() == Geometry.RESCALED) {
      binding.problems.add(
          binding.where.get(s.path("method")),
          s.path("method")
              + ": layers is the discrete Transformer layer and has no rescaled form; use geometry"
              + " sphere or euclidean");
    }
    if (method == Method.LAYERS && model.scheme().kind() == Scheme.Kind.MIX) {
      binding.problems.add(
          binding.where.get(s.path("method")),
          s.path("method")
              + ": layers has no form of the scheme mix, whose tokens keep their radii at first; use"
              + " euler");
    }
    if (model.noise() != null) {
      noise(s, method, merging, model);
    }
    return new IntegratorSpec(method, dt, rtol, atol, firstStep, minStep, maxSteps, merging);
  }

  private void noise(Section s, Method method, Merging merging, ModelSpec model) {
    String reason = Integrators.whyNoNoise(method, merging, model.geometry());
    if (reason != null) {
      String key = s.path(method == Method.EULER_MARUYAMA ? "merge" : "method");
      Position at = binding.where.get(key);
      binding.problems.add(at == null ? s.at() : at, key + ": the model has noise, and " + reason);
    }
  }

  /** {@code merge: none}, or a distance and how often the tokens are grouped. */
  private Merging merging(Section integrator, ModelSpec model) {
    Node node = integrator.take("merge");
    if (node == null || (node instanceof Node.Scalar word && word.text().equals("none"))) {
      return null;
    }
    Section s = binding.section(node, integrator.path("merge"));
    Node distance = s.require("distance", "how near tokens are merged, such as {distance: 1e-6}");
    double near =
        distance == null ? 1 : binding.number(distance, s.path("distance"), Range.POSITIVE);
    if (distance != null && model.geometry() == Geometry.SPHERE && !(near < 1)) {
      binding.problems.add(
          distance.at(),
          s.path("distance")
              + " must be < 1 on the unit sphere, where merging is for tokens that nearly coincide,"
              + " not "
              + YamlNumbers.text(near));
    }
    long every = s.integer("every", Merging.DEFAULT_EVERY, 1L);
    s.done();
    String reason =
        Layer.whyNotMerged(
            model.mask(),
            model.normalisation(),
            model.interaction() == null ? null : model.interaction().className());
    if (model.scheme().kind() != Scheme.Kind.POST || model.feedForward() != null) {
      reason = TokenRule.NOT_MERGED;
    }
    if (model.geometry() == Geometry.RESCALED) {
      reason =
          "in the rescaled geometry scores tell tokens apart whose z nearly coincide, so they"
              + " cannot be merged";
    }
    if (reason != null) {
      binding.problems.add(node.at(), s.path("distance") + ": " + reason + "; leave out merge");
    }
    return new Merging(near, every);
  }

  private void unused(Section s, Method method, String why, String... keys) {
    Position methodAt = binding.where.get(s.path("method"));
    for (String key : keys) {
      Node node = s.take(key);
      // A method chosen on the command line leaves behind what the file says for its own method.
      boolean leftBehind =
          methodAt != null && methodAt.isOverride() && node != null && !node.at().isOverride();
      if (node != null && !leftBehind) {
        binding.problems.add(
            node.at(),
            s.path(key)
                + " has no meaning for "
                + method.label()
                + ": "
                + why
                + "; leave it out or choose another method");
      }
    }
  }

  StopSpec stop(Section s, Node events) {
    Node t = s.require("t", "the time to integrate to, such as stop: {t: 20}");
    double end = t == null ? 1 : binding.number(t, s.path("t"), Range.POSITIVE);
    Node when = s.take("when");
    StopSpec.Condition condition = when == null ? null : condition(when, s.path("when"));
    s.done();
    List<StopSpec.Condition> noted = new ArrayList<>();
    List<Node> items = events == null ? List.of() : binding.list(events, "events");
    for (int k = 0; k < items.size(); k++) {
      noted.add(condition(items.get(k), "events[" + k + "]"));
    }
    return new StopSpec(end, condition, noted);
  }

  private StopSpec.Condition condition(Node node, String path) {
    Section s = binding.section(node, path);
    Node clusters = s.take("clusters");
    Node collapse = s.take("collapse");
    Node merged = s.take("merged");
    Node plateau = s.take("plateau_left");
    Node every = s.take("every");
    int steps =
        every == null ? 0 : (int) binding.integer(every, s.path("every"), 1, Integer.MAX_VALUE);
    long given = Stream.of(clusters, collapse, merged, plateau).filter(n -> n != null).count();
    if (given != 1) {
      binding.problems.add(
          s.at(),
          path
              + " takes one of {clusters: NUMBER}, {collapse: DISTANCE}, {merged: FROM-NUMBER},"
              + " {plateau_left: LASTING, within: ENERGY}, "
              + (given == 0 ? "and has none" : "not " + given + " of them"));
    }
    StopSpec.Condition condition;
    if (collapse != null) {
      condition =
          new StopSpec.Condition.Collapse(
              binding.number(collapse, s.path("collapse"), Range.POSITIVE), steps);
    } else if (plateau != null) {
      Node within = s.require("within", "the largest change of the energy on a plateau");
      condition =
          new StopSpec.Condition.PlateauLeft(
              binding.number(plateau, s.path("plateau_left"), Range.POSITIVE),
              within == null ? 1 : binding.number(within, s.path("within"), Range.POSITIVE),
              steps);
    } else {
      Node number = merged == null ? clusters : merged;
      String key = merged == null ? "clusters" : "merged";
      // One cluster has nothing to merge with.
      int least = merged == null ? 1 : 2;
      int count =
          number == null ? 1 : (int) binding.integer(number, s.path(key), least, Integer.MAX_VALUE);
      ObservableSpec.Clusters link = link(s);
      condition =
          merged == null
              ? new StopSpec.Condition.Clusters(count, link.linkage(), link.threshold(), steps)
              : new StopSpec.Condition.Merged(count, link.linkage(), link.threshold(), steps);
    }
    s.done();
    return condition;
  }

  /** Reads {@code cosine} or {@code distance} out of a mapping. */
  ObservableSpec.Clusters link(Section s) {
    Node cosine = s.take("cosine");
    Node distance = s.take("distance");
    if (cosine != null && distance != null) {
      binding.problems.add(
          distance.at(), "give " + s.path("cosine") + " or " + s.path("distance") + ", not both");
    }
    if (distance != null) {
      return new ObservableSpec.Clusters(
          Linkage.DISTANCE, binding.number(distance, s.path("distance"), Range.POSITIVE));
    }
    if (cosine == null) {
      return ObservableSpec.Clusters.usual(geometry);
    }
    double threshold = binding.number(cosine, s.path("cosine"), Range.FINITE);
    if (!(threshold >= -1 && threshold < 1)) {
      binding.problems.add(
          cosine.at(),
          s.path("cosine") + " must lie in [-1, 1), not " + YamlNumbers.text(threshold));
    }
    return new ObservableSpec.Clusters(Linkage.COSINE, threshold);
  }

  SaveSpec save(Section s, double end, IntegratorSpec integrator) {
    List<SaveSpec.Schedule> given = new ArrayList<>();
    Node every = s.take("every");
    if (every != null) {
      double interval = binding.number(every, s.path("every"), Range.POSITIVE);
      if (!(end / interval <= SaveSpec.MOST)) {
        binding.problems.add(
            every.at(),
            s.path("every")
                + ": "
                + YamlNumbers.text(interval)
                + " asks for more than "
                + SaveSpec.MOST
                + " saves before stop.t = "
                + YamlNumbers.text(end)
                + "; save less often");
      }
      given.add(new SaveSpec.Schedule.Every(interval));
    }
    Node log = s.take("log");
    if (log != null) {
      given.add(log(binding.section(log, s.path("log")), end));
    }
    Node times = s.take("times");
    if (times != null) {
      given.add(times(times, s.path("times")));
    }
    Node trajectory = s.take("trajectory");
    Boolean keep =
        trajectory == null ? null : (Boolean) binding.truth(trajectory, s.path("trajectory"));
    s.done();
    if (given.size() > 1) {
      binding.problems.add(s.at(), "save takes one of every, log, times");
    }
    return new SaveSpec(
        given.isEmpty()
            ? new SaveSpec.Schedule.Every(usualInterval(end, integrator))
            : given.get(0),
        keep);
  }

  /**
   * About SAVES reports a run; with a fixed step on whole steps, since a discrete layer has no
   * state inside and other methods would have to interpolate.
   */
  private static double usualInterval(double end, IntegratorSpec integrator) {
    double interval = end / SAVES;
    if (integrator == null || integrator.method().adaptive() || !(integrator.dt() > 0)) {
      return interval;
    }
    return integrator.dt() * Math.max(1, Math.ceil(interval / integrator.dt() * (1 - 1e-9)));
  }

  private SaveSpec.Schedule log(Section s, double end) {
    Node fromNode = s.require("from", "the first time, > 0");
    double from = fromNode == null ? 1 : binding.number(fromNode, s.path("from"), Range.POSITIVE);
    double to = s.number("to", end, Range.POSITIVE);
    Node countNode = s.take("count");
    int count =
        countNode == null
            ? SAVES
            : (int) binding.integer(countNode, s.path("count"), 2, SaveSpec.MOST);
    s.done();
    if (fromNode != null && !(from < to)) {
      binding.problems.add(
          s.at(),
          s.path("from")
              + " must be < "
              + s.path("to")
              + ", but "
              + YamlNumbers.text(from)
              + " >= "
              + YamlNumbers.text(to));
    }
    return new SaveSpec.Schedule.Log(from, to, count);
  }

  private SaveSpec.Schedule times(Node node, String path) {
    List<Double> times = binding.numbers(node, path);
    for (int i = 0; i < times.size(); i++) {
      if (times.get(i) < 0 || (i > 0 && !(times.get(i) > times.get(i - 1)))) {
        binding.problems.add(node.at(), path + " must be >= 0 and strictly ascending");
        break;
      }
    }
    return new SaveSpec.Schedule.Times(times);
  }

  CheckSpec check(Node node, Node root) {
    if (node instanceof Node.Scalar word && word.text().equals("none")) {
      return new CheckSpec(0, CHECK_ROWS);
    }
    if (node != null && !(node instanceof Node.Mapping)) {
      binding.problems.add(
          node.at(), "check must be none or {every: STEPS, rows: ROWS}, not " + node.describe());
      return new CheckSpec(CHECK_EVERY, CHECK_ROWS);
    }
    Section s = binding.section(node == null ? Node.Mapping.empty(root.at()) : node, "check");
    CheckSpec check =
        new CheckSpec(s.integer("every", CHECK_EVERY, 0L), s.integer("rows", CHECK_ROWS, 1));
    s.done();
    return check;
  }

  ExecutionSpec execution(Section s) {
    String device = s.text("device", "auto");
    // The definition is in float64 and nothing else.
    Precision usual = device.equals("reference") ? Precision.DOUBLE : Precision.SINGLE;
    Precision precision = s.word("precision", Precision.class, usual);
    Node walltime = s.take("walltime");
    Double limit = walltime == null ? null : (Double) seconds(walltime, s.path("walltime"));
    Node checkpoint = s.take("checkpoint_every");
    double every =
        checkpoint == null ? CHECKPOINT_SECONDS : seconds(checkpoint, s.path("checkpoint_every"));
    Summation summation = s.word("summation", Summation.class, Summation.AUTO);
    Storage storage = s.word("storage", Storage.class, Storage.FULL);
    s.done();
    return new ExecutionSpec(device, precision, limit, every, summation, storage);
  }

  /** A duration: seconds, or a number with the unit s, m, h or d. */
  private double seconds(Node node, String path) {
    if (node instanceof Node.Scalar s && s.number() == null) {
      Matcher m = DURATION.matcher(s.text());
      if (m.matches() && Double.parseDouble(m.group(1)) > 0) {
        double unit =
            switch (m.group(2)) {
              case "m" -> 60;
              case "h" -> 3600;
              case "d" -> 86400;
              default -> 1;
            };
        return Double.parseDouble(m.group(1)) * unit;
      }
      binding.problems.add(
          node.at(),
          path
              + " must be a number of seconds > 0, or a duration such as 90s, 30m, 2h, 1d, not "
              + node.describe());
      return 1;
    }
    return binding.number(node, path, Range.POSITIVE);
  }
}
