package org.starling.app.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.experiment.ModelSpec;
import org.starling.core.experiment.SweepSpec;
import org.starling.core.model.Mask;
import org.starling.core.model.Scheme;

/** The line below every title: what was run, on what, which run. */
final class Caption {
  private Caption() {}

  static String of(RunFiles run) {
    ModelSpec model = run.experiment().model();
    List<String> parts = new ArrayList<>();
    parts.add(word(model.geometry()));
    parts.add("n = " + run.n() + ", d = " + run.d() + ", \u03b2 = " + beta(run));
    parts.add(mask(model.mask()) + " mask, " + word(model.normalisation()));
    if (model.feedForward() != null) {
      parts.add("feed-forward");
    }
    if (model.scheme().kind() != Scheme.Kind.POST) {
      parts.add("scheme " + word(model.scheme().kind()));
    }
    if (model.heads() > 1) {
      parts.add(model.heads() + " heads");
    }
    if (run.replicas() > 1) {
      parts.add(run.replicas() + " replicas");
    }
    if (run.manifest().get("engine") instanceof Map<?, ?> engine && engine.get("engine") != null) {
      parts.add(
          "engine "
              + engine.get("engine")
              + (engine.get("precision") == null
                  ? ""
                  : " (" + engine.get("precision").toString().toLowerCase(Locale.ROOT) + ")"));
    }
    if (run.manifest().get("run_id") instanceof String id) {
      parts.add("run " + id);
    }
    return String.join(" \u00b7 ", parts);
  }

  /** The value, or the ends of a sweep. */
  private static String beta(RunFiles run) {
    SweepSpec sweep = run.experiment().sweep();
    for (int a = 0; sweep != null && a < sweep.axes().size(); a++) {
      SweepSpec.Values v = sweep.axes().get(a).values();
      if (sweep.axes().get(a).key().equals("model.beta") && v.size() > 1) {
        return Axis.brief(v.at(0).doubleValue())
            + " \u2026 "
            + Axis.brief(v.at(v.size() - 1).doubleValue());
      }
    }
    return Axis.brief(run.experiment().model().beta());
  }

  /** A mask in the words of an experiment file. */
  static String mask(Mask mask) {
    List<String> parts = new ArrayList<>();
    if (mask.alibi() > 0) {
      parts.add("alibi " + Axis.brief(mask.alibi()));
    } else if (mask.causal()) {
      parts.add("causal");
    }
    if (mask.window() != Mask.NONE) {
      parts.add("window " + mask.window());
    }
    if (mask.gaps()) {
      parts.add("first " + mask.first());
    }
    if (mask.prefix() != Mask.NONE) {
      parts.add("prefix " + mask.prefix());
    }
    return parts.isEmpty() ? "full" : String.join(" + ", parts);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
