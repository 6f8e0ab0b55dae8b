package org.starling.system.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.experiment.ExperimentException;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ExperimentSchema;

/** The published schema and the reader agree on what an experiment file may hold. */
class ExperimentSchemaTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("starling.root"), "host", "app", "examples");
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(ExperimentSchema.text(), InputFormat.JSON);

  private static List<Error> errors(String yaml) {
    return SCHEMA.validate(yaml, InputFormat.YAML);
  }

  private static ExperimentFile read(String yaml) {
    return ExperimentFile.parse("e.yaml", yaml, Path.of("/"), List.of());
  }

  /** Those of the dynamics: experiments on attention paths have a form of their own. */
  static List<Path> examples() throws IOException {
    Path paths = EXAMPLES.resolve("paths");
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      return files
          .filter(f -> f.toString().endsWith(".yaml") && !f.startsWith(paths))
          .sorted()
          .toList();
    }
  }

  @Test
  void thereAreExamples() throws IOException {
    assertFalse(examples().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void examplesAndTheirResolvedFormsAreValid(Path example) throws IOException {
    assertEquals(List.of(), errors(Files.readString(example)));
    String resolved = ExperimentFile.read(example, List.of()).resolve().yaml();
    assertEquals(List.of(), errors(resolved), resolved);
    assertEquals(resolved, read(resolved).resolve().yaml());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{mask: [causal, {window: 3}, {prefix: 2}, {alibi: 0.5}], beta: -1, heads: 2}",
        "{Q: [gaussian, {diag: [1, 2]}], K: {per_layer: {gaussian: {seed: 3, std: 0.5}}}}",
        "{V: {layers: [wigner, [goe, {scale: -1}]]}, layer_time: 10, score_scale: inv-sqrt-d}",
        "{Q: {file: Q.npy}, V: {safetensors: m.safetensors, tensor: w}}",
        "{V: {per_layer: [goe, {wigner: {scale: 2}}]}}",
        "{V: {rows: [[1, 2], [0.5, -1]]}}",
        "{geometry: euclidean, interaction: {class: a.B, classpath: B.java}}",
        "{noise: none}",
        "{geometry: rescaled, feed_forward: {of: attention, activation: tanh, W2: {scale: -1}}}",
        "{feed_forward: {W1: {gaussian: {seed: 3}}, W2: goe, bias: [0.5, -1]}}",
        "{scheme: {ngpt: {alpha: 0.2}}}",
        "{geometry: euclidean, scheme: {mix: {until: 3}}}",
      })
  void bothAcceptModels(String model) {
    both(true, "model: " + model + "\ntokens: {n: 8, d: 2}\nstop: {t: 10}\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "observe: [norms, {clusters: {distance: 0.1}}, {inner-products: {bins: 3}}]",
        "save: {log: {from: 0.1, to: 3, count: 4}, trajectory: false}",
        "save: {times: [0, 1, 2]}",
        "events: [{collapse: 0.1}, {merged: 4, cosine: 0.9, every: 1}, {clusters: 2, distance: 1}]",
        "events: [{plateau_left: 3, within: 0.01, every: 1}]",
        "check: none",
        "check: {every: 3, rows: 1}",
        "integrator: {method: heun, dt: 0.1}",
        "integrator: {rtol: 1e-3, first_step: 0.1}",
        "integrator: {method: radau5, rtol: 1e-9}",
        "integrator: {method: arclength, dt: 1e-4, merge: {distance: 1e-3}}",
        "integrator: {method: layers}",
        "execution: {device: opencl:0:1, precision: mixed, walltime: 2h, checkpoint_every: 5}",
        "seed: 9223372036854775807",
        "sweep: {beta: {linspace: [0.1, 9, 30]}, seed: {range: [0, 20]}}",
        "sweep: {model: {V: {scale: [1, -1]}}, Q.gaussian.seed: [3, 4], mask.window: [1, 2]}",
        "sweep: {mask.alibi: [0], model.beta: {geomspace: [1, 8, 4]}, layer_time: [1]}",
        "model: {noise: {kappa: 2}}\nintegrator: {method: euler-maruyama, dt: 0.1}",
        "model: {geometry: euclidean, noise: {sigma: 0}}\nintegrator: {method: euler-maruyama}",
      })
  void bothAcceptRest(String block) {
    both(
        true,
        "tokens: {n: 8, d: 2}\nstop: {t: 10, when: {clusters: 1, every: 2}}\n" + block + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model: {betta: 1}",
        "model: {beta: x}",
        "model: {mask: []}",
        "model: {mask: {window: 0}}",
        "model: {mask: {window: 2, prefix: 1}}",
        "model: {geometry: sphered}",
        "model: {heads: 0}",
        "model: {V: {scale: 1, diag: [1]}}",
        "model: {V: {wigner: {std: 1}}}",
        "model: {V: {per_layer: identity}}",
        "model: {V: {layers: []}}",
        "model: {V: {rows: []}}",
        "model: {V: {rows: [1, 2]}}",
        "model: {V: {safetensors: x}}",
        "model: {V: {file: x, sha256: 12}}",
        "model: {layer_time: 0}",
        "model: {interaction: {classpath: x}}",
        "observe: energy",
        "observe: [{energy: {bins: 3}}]",
        "observe: [{clusters: {cosine: 0.9, distance: 1}}]",
        "observe: [{clusters: {cosine: 1}}]",
        "save: {every: 1, times: [1]}",
        "save: {every: 0}",
        "save: {log: {to: 1}}",
        "events: [{collapse: 0}]",
        "events: [{merged: 1}]",
        "events: [{plateau_left: 3}]",
        "events: [{collapse: 1, merged: 3}]",
        "events: [{collapse: 1, cosine: 0.5}]",
        "events: {collapse: 1}",
        "check: maybe",
        "integrator: {dt: 0.1}",
        "integrator: {method: rk4, rtol: 0.1}",
        "integrator: {method: rk5}",
        "integrator: {rtol: 1}",
        "integrator: {atol: 0}",
        "execution: {walltime: soon}",
        "execution: {precision: half}",
        "seed: -1",
        "sweep: {}",
        "sweep: [1, 2]",
        "sweep: {beta: 4}",
        "sweep: {beta: []}",
        "sweep: {beta: [1, x]}",
        "sweep: {beta: [1, 1]}",
        "sweep: {beta: {linspace: [1, 2]}}",
        "sweep: {beta: {linspace: [1, 2, 1]}}",
        "sweep: {beta: {geomspace: [0, 2, 3]}}",
        "sweep: {beta: {range: [0, 1.5]}}",
        "sweep: {beta: {linspace: [1, 2, 3], range: [0, 1]}}",
        "sweep: {gamma: [1, 2]}",
        "sweep: {dt: [0.1, 0.2]}",
        "model: {scheme: {mix: {}}}",
        "model: {feed_forward: {activation: rely}}",
        "model: {scheme: {ngpt: {alpha: 0}}}",
        "model: {noise: {}}\nintegrator: {method: euler-maruyama}",
        "model: {noise: {kappa: 0}}\nintegrator: {method: euler-maruyama}",
        "model: {noise: {kappa: 1, sigma: 1}}\nintegrator: {method: euler-maruyama}",
      })
  void bothRefuse(String block) {
    both(false, "tokens: {n: 8, d: 2}\nstop: {t: 10}\n" + block + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tokens: {n: 8, d: 2}\n",
        "tokens: {n: 8, d: 2}\nstop: {t: 0}\n",
        "tokens: {n: -8, d: 2}\nstop: {t: 1}\n",
        "tokens: {n: 8.5, d: 2}\nstop: {t: 1}\n",
        "tokens: {n: 8, d: 2, init: {uniform-cube: 0}}\nstop: {t: 1}\n",
        "tokens: {n: 2, d: 2, init: {equiangular: 1}}\nstop: {t: 1}\n",
        "tokens: {n: 8, d: 2, init: sphere}\nstop: {t: 1}\n",
        "tokens: {init: {angles: 3}}\nstop: {t: 1}\n",
        "tokens: {init: {points: [0, 1]}}\nstop: {t: 1}\n",
      })
  void bothRefuseWhole(String yaml) {
    both(false, yaml);
  }

  private static void both(boolean accepted, String yaml) {
    List<Error> errors = errors(yaml);
    assertEquals(accepted, errors.isEmpty(), () -> "schema: " + errors);
    if (accepted) {
      assertTrue(read(yaml).experiment().stop().t() > 0);
    } else {
      assertThrows(ExperimentException.class, () -> read(yaml));
    }
  }
}
