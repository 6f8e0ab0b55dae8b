package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.experiment.ModelSpec.InteractionSpec;
import org.starling.core.experiment.SaveSpec.Schedule;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Ensemble;
import org.starling.core.model.Mask;
import org.starling.core.model.Scheme;

/**
 * Writes an experiment as YAML that reads back as the same experiment, every default written out.
 */
final class ExperimentWriter {
  private final boolean whole;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param whole false to leave out what does not enter the run id: the block {@code execution} and
   *     the places of files that have a digest
   */
  ExperimentWriter(boolean whole) {
    this.whole = whole;
  }

  String write(Experiment e) {
    model(e.model());
    tokens(e.tokens());
    integrator(e.integrator());
    stop(e.stop());
    line(
        "observe: ["
            + joined(e.observe().stream().map(ExperimentWriter::observable).toList())
            + "]");
    line(
        "save: {"
            + schedule(e.save().schedule())
            + (e.save().trajectory() == null ? "" : ", trajectory: " + e.save().trajectory())
            + "}");
    line("check: {every: " + e.check().every() + ", rows: " + e.check().rows() + "}");
    line("seed: " + e.seed());
    if (e.sweep() != null) {
      line(
          "sweep: {"
              + joined(e.sweep().axes().stream().map(ExperimentWriter::axis).toList())
              + "}");
    }
    if (whole) {
      execution(e.execution());
    }
    return out.toString();
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  private void model(ModelSpec m) {
    line("model:");
    line("  geometry: " + Binding.label(m.geometry()));
    line("  mask: " + mask(m));
    line("  normalisation: " + Binding.label(m.normalisation()));
    line("  beta: " + number(m.beta()));
    line("  heads: " + m.heads());
    line("  score_scale: " + Binding.label(m.scoreScale()));
    line("  layer_time: " + number(m.layerTime()));
    line("  Q: " + weight(m.q()));
    line("  K: " + weight(m.k()));
    line("  V: " + weight(m.v()));
    InteractionSpec i = m.interaction();
    if (i != null) {
      line(
          "  interaction: {class: "
              + quoted(i.className())
              + (i.classpath() == null ? "" : ", " + file("classpath", i.classpath()))
              + "}");
    }
    if (m.sink() != null) {
      line(
          "  sink: {score: "
              + number(m.sink().score())
              + (m.sink().place() == null ? "" : ", place: " + numbers(m.sink().place()))
              + "}");
    }
    if (m.noise() instanceof NoiseSpec.Kappa k) {
      line("  noise: {kappa: " + number(k.kappa()) + "}");
    } else if (m.noise() instanceof NoiseSpec.Sigma s) {
      line("  noise: {sigma: " + number(s.sigma()) + "}");
    }
    FeedForwardSpec f = m.feedForward();
    if (f != null) {
      line(
          "  feed_forward: {of: "
              + Binding.label(f.of())
              + ", activation: "
              + Binding.label(f.activation())
              + ", W1: "
              + weight(f.w1())
              + ", W2: "
              + weight(f.w2())
              + (f.bias().isEmpty() ? "" : ", bias: " + numbers(f.bias()))
              + "}");
    }
    if (m.scheme().kind() != Scheme.Kind.POST) {
      line("  scheme: " + SchemeReader.text(m.scheme()));
    }
  }

  private static String mask(ModelSpec model) {
    Mask mask = model.mask();
    List<String> parts = new ArrayList<>();
    if (model.slopes() != null) {
      parts.add("{alibi: " + numbers(model.slopes()) + "}");
    }
    if (mask.alibi() > 0) {
      parts.add("{alibi: " + number(mask.alibi()) + "}");
    } else if (mask.causal() && model.slopes() == null) {
      parts.add("causal");
    }
    if (mask.window() != Mask.NONE) {
      parts.add("{window: " + mask.window() + "}");
    }
    if (mask.first() > 0) {
      parts.add("{first: " + mask.first() + "}");
    }
    if (mask.prefix() != Mask.NONE) {
      parts.add("{prefix: " + mask.prefix() + "}");
    }
    if (parts.isEmpty()) {
      return "full";
    }
    return parts.size() == 1 ? parts.get(0) : "[" + joined(parts) + "]";
  }

  private String weight(WeightSpec w) {
    List<String> layers = w.layers().stream().map(this::heads).toList();
    if (w.perLayer()) {
      return "{per_layer: " + layers.get(0) + "}";
    }
    return layers.size() == 1 ? layers.get(0) : "{layers: [" + joined(layers) + "]}";
  }

  private String heads(List<MatrixSpec> heads) {
    List<String> texts = heads.stream().map(this::matrix).toList();
    return texts.size() == 1 ? texts.get(0) : "[" + joined(texts) + "]";
  }

  private String matrix(MatrixSpec matrix) {
    if (matrix instanceof MatrixSpec.Scale s) {
      return "{scale: " + number(s.c()) + "}";
    }
    if (matrix instanceof MatrixSpec.Diagonal g) {
      return "{diag: " + numbers(g.entries()) + "}";
    }
    if (matrix instanceof MatrixSpec.Rows r) {
      return "{rows: " + rows(r.entries()) + "}";
    }
    if (matrix instanceof MatrixSpec.Random r) {
      StringJoiner keys = new StringJoiner(", ");
      if (r.seed() != null) {
        keys.add("seed: " + r.seed());
      }
      if (r.ensemble() == Ensemble.GAUSSIAN && r.std() != null) {
        keys.add("std: " + number(r.std()));
      }
      keys.add("scale: " + number(r.scale()));
      return "{" + Binding.label(r.ensemble()) + ": {" + keys + "}}";
    }
    if (matrix instanceof MatrixSpec.Principal p) {
      return "{principal: {multiplicity: "
          + p.multiplicity()
          + ", value: "
          + number(p.value())
          + ", rest: "
          + number(p.rest())
          + (p.seed() == null ? "" : ", seed: " + p.seed())
          + "}}";
    }
    if (matrix instanceof MatrixSpec.Npy npy) {
      return "{" + file("file", npy.file()) + "}";
    }
    if (matrix instanceof MatrixSpec.SafeTensor t) {
      return "{" + file("safetensors", t.file()) + ", tensor: " + quoted(t.tensor()) + "}";
    }
    return "identity";
  }

  private String file(String key, InputFile file) {
    String digest = file.sha256() == null ? "" : "sha256: " + quoted(file.sha256());
    if (!whole && file.sha256() != null) {
      return digest;
    }
    return key + ": " + quoted(file.path().toString()) + (digest.isEmpty() ? "" : ", " + digest);
  }

  private void tokens(TokensSpec t) {
    StringJoiner keys = new StringJoiner(", ", "tokens: {", "}");
    if (t.n() != null) {
      keys.add("n: " + t.n());
    }
    if (t.d() != null) {
      keys.add("d: " + t.d());
    }
    if (t.replicas() != null) {
      keys.add("replicas: " + t.replicas());
    }
    keys.add("init: " + init(t.init()));
    if (t.frozen() != null) {
      keys.add("frozen: " + frozen(t.frozen()));
    }
    if (t.weights() != null) {
      keys.add("weights: " + numbers(t.weights()));
    }
    line(keys.toString());
  }

  private static String frozen(TokensSpec.Frozen frozen) {
    if (frozen instanceof TokensSpec.Frozen.First f) {
      return "{first: " + f.count() + "}";
    }
    if (frozen instanceof TokensSpec.Frozen.Listed l) {
      return "{tokens: [" + joined(l.tokens().stream().map(String::valueOf).toList()) + "]}";
    }
    if (frozen instanceof TokensSpec.Frozen.At at) {
      return "{points: " + rows(at.rows()) + "}";
    }
    if (frozen instanceof TokensSpec.Frozen.AtAngles a) {
      return "{angles: " + numbers(a.angles()) + "}";
    }
    TokensSpec.Frozen.Centres c = (TokensSpec.Frozen.Centres) frozen;
    return "{centres: {c: "
        + number(c.c())
        + ", kind: "
        + (c.strong() ? "strong" : "ordinary")
        + "}}";
  }

  private String init(Init init) {
    if (init instanceof Init.Gaussian g) {
      return "{gaussian: {std: " + number(g.std()) + "}}";
    }
    if (init instanceof Init.UniformCube c) {
      return "{uniform-cube: " + number(c.a()) + "}";
    }
    if (init instanceof Init.Equiangular e) {
      return "{equiangular: " + number(e.rho()) + "}";
    }
    if (init instanceof Init.Angles a) {
      return "{angles: " + numbers(a.angles()) + "}";
    }
    if (init instanceof Init.Points p) {
      return "{points: " + rows(p.rows()) + "}";
    }
    if (init instanceof Init.Npy npy) {
      return "{" + file("file", npy.file()) + "}";
    }
    return init instanceof Init.Orthonormal ? "orthonormal" : "uniform-sphere";
  }

  private void integrator(IntegratorSpec s) {
    String steps =
        s.method().adaptive()
            ? "rtol: "
                + number(s.rtol())
                + ", atol: "
                + number(s.atol())
                + ", first_step: "
                + number(s.firstStep())
                + ", min_step: "
                + number(s.minStep())
            : "dt: " + number(s.dt());
    line(
        "integrator: {method: "
            + s.method().label()
            + ", "
            + steps
            + ", max_steps: "
            + s.maxSteps()
            + (s.merging() == null
                ? ""
                : ", merge: {distance: "
                    + number(s.merging().distance())
                    + ", every: "
                    + s.merging().every()
                    + "}")
            + "}");
  }

  private void stop(StopSpec s) {
    String when = s.when() == null ? "" : ", when: " + condition(s.when());
    line("stop: {t: " + number(s.t()) + when + "}");
    if (!s.events().isEmpty()) {
      line(
          "events: ["
              + joined(s.events().stream().map(ExperimentWriter::condition).toList())
              + "]");
    }
  }

  private static String condition(StopSpec.Condition c) {
    String what;
    if (c instanceof StopSpec.Condition.Clusters k) {
      what = "clusters: " + k.clusters() + ", " + link(k.linkage(), k.threshold());
    } else if (c instanceof StopSpec.Condition.Merged m) {
      what = "merged: " + m.from() + ", " + link(m.linkage(), m.threshold());
    } else if (c instanceof StopSpec.Condition.Collapse k) {
      what = "collapse: " + number(k.distance());
    } else {
      StopSpec.Condition.PlateauLeft p = (StopSpec.Condition.PlateauLeft) c;
      what = "plateau_left: " + number(p.lasting()) + ", within: " + number(p.within());
    }
    return "{" + what + (c.everySteps() == 0 ? "" : ", every: " + c.everySteps()) + "}";
  }

  private static String axis(SweepSpec.Axis axis) {
    return axis.key() + ": " + values(axis.values());
  }

  private static String values(SweepSpec.Values values) {
    if (values instanceof SweepSpec.Values.Linear v) {
      return spaced("linspace", v.from(), v.to(), v.count());
    }
    if (values instanceof SweepSpec.Values.Geometric v) {
      return spaced("geomspace", v.from(), v.to(), v.count());
    }
    if (values instanceof SweepSpec.Values.Powers v) {
      return spaced("logspace", v.from(), v.to(), v.count());
    }
    if (values instanceof SweepSpec.Values.Range v) {
      return "{range: [" + v.from() + ", " + v.to() + "]}";
    }
    List<String> listed = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      Number v = values.at(k);
      listed.add(v instanceof Long ? v.toString() : number(v.doubleValue()));
    }
    return "[" + joined(listed) + "]";
  }

  private static String spaced(String form, double from, double to, int count) {
    return "{" + form + ": [" + number(from) + ", " + number(to) + ", " + count + "]}";
  }

  private static String link(Linkage linkage, double threshold) {
    return Binding.label(linkage) + ": " + number(threshold);
  }

  private static String observable(ObservableSpec o) {
    if (o instanceof ObservableSpec.Clusters c) {
      return "{clusters: {" + link(c.linkage(), c.threshold()) + "}}";
    }
    if (o instanceof ObservableSpec.InnerProducts p) {
      return "{inner-products: {bins: " + p.bins() + "}}";
    }
    return o.key();
  }

  private static String schedule(Schedule schedule) {
    if (schedule instanceof Schedule.Every e) {
      return "every: " + number(e.interval());
    }
    if (schedule instanceof Schedule.Log l) {
      return "log: {from: "
          + number(l.from())
          + ", to: "
          + number(l.to())
          + ", count: "
          + l.count()
          + "}";
    }
    return "times: " + numbers(((Schedule.Times) schedule).times());
  }

  private void execution(ExecutionSpec e) {
    line("execution:");
    line("  device: " + quoted(e.device()));
    line("  precision: " + Binding.label(e.precision()));
    if (e.walltime() != null) {
      line("  walltime: " + number(e.walltime()));
    }
    line("  checkpoint_every: " + number(e.checkpointEvery()));
    line("  summation: " + Binding.label(e.summation()));
    line("  storage: " + Binding.label(e.storage()));
  }

  private static String joined(List<String> parts) {
    return String.join(", ", parts);
  }

  private static String number(double value) {
    return YamlNumbers.text(value);
  }

  private static String rows(List<List<Double>> rows) {
    return "[" + joined(rows.stream().map(ExperimentWriter::numbers).toList()) + "]";
  }

  private static String numbers(List<Double> values) {
    return "[" + joined(values.stream().map(YamlNumbers::text).toList()) + "]";
  }

  /** A double-quoted scalar; YAML takes the escapes of JSON. */
  private static String quoted(String text) {
    StringBuilder s = new StringBuilder("\"");
    for (int k = 0; k < text.length(); k++) {
      char c = text.charAt(k);
      if (c == '"' || c == '\\') {
        s.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029) {
        s.append(String.format("\\u%04x", (int) c));
      } else {
        s.append(c);
      }
    }
    return s.append('"').toString();
  }
}
