package org.starling.core.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.model.Head;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;

class ResolvedExperimentTest {
  @TempDir Path dir;

  private ResolvedExperiment resolve(String text, String... overrides) {
    return ExperimentFile.parse("e.yaml", text, dir, List.of(overrides)).resolve();
  }

  private String refused(String text, String... overrides) {
    return assertThrows(ExperimentException.class, () -> resolve(text, overrides)).getMessage();
  }

  private void npy(String name, double[] values, int... shape) {
    Npy.write(dir.resolve(name), ElementType.FLOAT64, values, shape);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tokens: {n: 8, d: 3}\nstop: {t: 0.3}\n",
        "tokens: {n: 3, d: 4, replicas: 2, init: {equiangular: -0.25}}\n"
            + "stop: {t: 1e3, when: {clusters: 2, distance: 0.1, every: 3}}\nseed: 9223372036854775807\n"
            + "integrator: {method: rk4, dt: 0.05, max_steps: 7}\nsave: {times: [0, 1e-3, 2]}\n"
            + "observe: []\ncheck: none\n"
            + "model: {mask: [{alibi: 0.1}, {window: 3}], beta: -0.0, V: {scale: -1},"
            + " score_scale: inv-sqrt-d, normalisation: hardmax}\n"
            + "execution: {device: 'Arc \"A770\"', precision: double, walltime: 90m}\n",
        "tokens: {n: 9, d: 2, init: {uniform-cube: 5}}\nstop: {t: 2}\n"
            + "model: {geometry: euclidean, mask: [{prefix: 2}, {window: 3}], heads: 2,"
            + " Q: [gaussian, {diag: [1, 0.1]}], K: {per_layer: {gaussian: {seed: 3, std: 2}}},"
            + " V: {layers: [[goe, identity], {wigner: {seed: 4, scale: -0.5}}]}}\n"
            + "save: {log: {from: 0.01, count: 5}, trajectory: false}\n"
            + "observe: [clusters, norms, {inner-products: {bins: 7}}, effective-rank]\n",
        "tokens: {init: {file: x0.npy}}\nstop: {t: 2}\nmodel: {V: {file: 'V.npy'}}\n",
      })
  void aResolvedFileReadsBackAsTheSameExperiment(String text) {
    npy("x0.npy", new double[] {1, 0, 0, 1, 0.6, 0.8}, 3, 2);
    npy("V.npy", new double[] {1, 2, 3, 4}, 2, 2);
    ResolvedExperiment first = resolve(text);
    ResolvedExperiment again =
        ExperimentFile.parse("again.yaml", first.yaml(), Path.of("/elsewhere"), List.of())
            .resolve();
    assertEquals(first.experiment(), again.experiment());
    assertEquals(first.yaml(), again.yaml());
    assertEquals(first.id(), again.id());
    assertArrayEquals(first.positions(), again.positions());
  }

  /** Off the sphere tokens of one direction may be far apart. */
  @ParameterizedTest
  @CsvSource({
    "sphere, {cosine: 0.999}, cosine: 0.999",
    "rescaled, {distance: 0.01}, distance: 0.01"
  })
  void clustersAreLinkedAsTheGeometryAllows(String geometry, String link, String when) {
    String yaml =
        resolve(
                "tokens: {n: 4, d: 2}\nstop: {t: 1, when: {clusters: 1}}\nobserve: [clusters]\n",
                "model.geometry=" + geometry)
            .yaml();
    assertTrue(yaml.contains("clusters: " + link), yaml);
    assertTrue(yaml.contains("when: {clusters: 1, " + when + "}"), yaml);
  }

  @Test
  void theIdIsOfWhatIsComputedNotOfHow() {
    String text = "tokens: {init: {file: x0.npy}}\nstop: {t: 2}\n";
    npy("x0.npy", new double[] {1, 0, 0, 1}, 2, 2);
    String id = resolve(text).id();
    assertTrue(id.matches("[0-9a-f]{12}"), id);
    assertEquals(id, resolve(text, "execution.device=java", "execution.walltime=9").id());
    assertNotEquals(id, resolve(text, "seed=1").id());
    assertNotEquals(id, resolve(text, "model.beta=2").id());
    npy("moved.npy", new double[] {1, 0, 0, 1}, 2, 2);
    String moved = text.replace("x0", "moved");
    assertEquals(id, resolve(moved).id());
    npy("moved.npy", new double[] {1, 0, 0, -1}, 2, 2);
    assertNotEquals(id, resolve(moved).id());
  }

  @Test
  void aChangedInputFileIsAnError() {
    npy("V.npy", new double[] {1, 2, 3, 4}, 2, 2);
    String yaml = resolve("tokens: {n: 2, d: 2}\nstop: {t: 2}\nmodel: {V: {file: V.npy}}\n").yaml();
    npy("V.npy", new double[] {1, 2, 3, 5}, 2, 2);
    String message = refused(yaml);
    assertTrue(message.contains("V.npy has changed: its sha256 is "), message);
  }

  @Test
  void startFilesDecideTheShapeAndConflictsShowBothShapes() {
    npy("x.npy", new double[] {1, 0, 0, 1, 0, 1, 1, 0}, 2, 2, 2);
    ResolvedExperiment r = resolve("tokens: {init: {file: x.npy}}\nstop: {t: 1}\n");
    assertEquals("Shape[replicas=2, n=2, d=2]", r.shape().toString());
    assertEquals(false, r.experiment().save().trajectory());
    assertArrayEquals(new double[] {1, 0, 0, 1, 0, 1, 1, 0}, r.positions());
    assertEquals(
        "e.yaml:1:29: "
            + dir.resolve("x.npy")
            + " has shape [2][2][2], the experiment says [replicas][5][d] under tokens",
        refused("tokens: {n: 5, init: {file: x.npy}}\nstop: {t: 1}\n"));
    npy("one.npy", new double[] {1, 0, 0, 1}, 2, 2);
    double[] both =
        resolve("tokens: {replicas: 2, init: {file: one.npy}}\nstop: {t: 1}\n").positions();
    assertArrayEquals(new double[] {1, 0, 0, 1, 1, 0, 0, 1}, both);
    npy("flat.npy", new double[] {1, 0}, 2);
    assertTrue(
        refused("tokens: {init: {file: flat.npy}}\nstop: {t: 1}\n")
            .endsWith("has shape [2], a start needs [n][d] or [replicas][n][d]"));
  }

  @Test
  void theSphereNeedsUnitTokensAndTakesThemWithin1e6() {
    npy("x.npy", new double[] {1, 0, 1 + 9e-7, 0, 0, 1.1}, 3, 2);
    String message = refused("tokens: {init: {file: x.npy}}\nstop: {t: 1}\n");
    assertTrue(message.contains("and token 2 has norm 1.1; in the sphere geometry"), message);
    npy("x.npy", new double[] {1, 0, 1 + 9e-7, 0}, 2, 2);
    double[] x = resolve("tokens: {init: {file: x.npy}}\nstop: {t: 1}\n").positions();
    assertArrayEquals(new double[] {1, 0, 1, 0}, x);
    npy("x.npy", new double[] {3, 0, 1 + 9e-7, 0}, 2, 2);
    x =
        resolve("tokens: {init: {file: x.npy}}\nmodel: {geometry: euclidean}\nstop: {t: 1}\n")
            .positions();
    assertArrayEquals(new double[] {3, 0, 1 + 9e-7, 0}, x);
  }

  @Test
  void badArraysAreNamedWithPlaceAndReason() throws Exception {
    String head = "tokens: {n: 2, d: 2}\nstop: {t: 1}\nmodel:\n  V: {file: V.npy}\n";
    assertTrue(refused(head).startsWith("e.yaml:4:6: "), refused(head));
    npy("V.npy", new double[6], 2, 3);
    assertEquals(
        "e.yaml:4:6: model.V: "
            + dir.resolve("V.npy")
            + " has shape [2][3], the experiment needs [2][2] or, for 1 head, [1][2][2]",
        refused(head));
    npy("V.npy", new double[] {0, 1, Double.NaN, 2}, 2, 2);
    assertTrue(refused(head).contains("NaN at [1][0]"), refused(head));
    npy("V.npy", new double[4], 2, 2);
    byte[] whole = Files.readAllBytes(dir.resolve("V.npy"));
    Files.write(dir.resolve("V.npy"), Arrays.copyOf(whole, whole.length - 8));
    assertTrue(refused(head).contains("truncated"), refused(head));
    npy("K.npy", new double[6], 3, 2);
    assertTrue(
        refused("tokens: {n: 2, d: 2}\nstop: {t: 1}\nmodel: {K: {file: K.npy}}\n")
            .contains("model.K has 3 rows but model.Q has 2 (head 0)"));
    assertTrue(
        refused("tokens: {n: 2, d: 2}\nstop: {t: 1}\nmodel: {V: {diag: [1]}}\n")
            .startsWith("e.yaml:3:12: model.V: diag has 1 entries, but tokens have d = 2"));
  }

  @Test
  void usualReportsWithAFixedStepFallOnSteps() {
    String head = "tokens: {n: 2, d: 2}\nstop: {t: 5}\nintegrator: ";
    assertTrue(
        resolve(head + "{method: layers, dt: 1}\n").yaml().contains("save: {every: 1,"),
        resolve(head + "{method: layers, dt: 1}\n").yaml());
    assertTrue(resolve(head + "{method: rk4, dt: 0.025}\n").yaml().contains("save: {every: 0.05,"));
    assertTrue(resolve(head + "{method: dopri5}\n").yaml().contains("save: {every: 0.05,"));
  }

  @Test
  void problemsOfAllInputsComeTogether() {
    npy("x.npy", new double[] {1, 0, 0, 2}, 2, 2);
    String text =
        "tokens: {n: 2, d: 2, init: {file: x.npy}}\nstop: {t: 1}\n"
            + "model: {Q: {file: no.npy}, V: {diag: [1]}}\n";
    String[] found = refused(text).split("\n");
    assertEquals(3, found.length, () -> String.join("\n", found));
  }

  @Test
  void anArrayWithALeadingAxisServesAllHeads() {
    npy("Q.npy", new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 3, 2);
    npy("K.npy", new double[] {1, 2, 3, 4, 5, 6}, 3, 2);
    List<Head> heads =
        resolve(
                "tokens: {n: 2, d: 2}\nstop: {t: 1}\n"
                    + "model: {heads: 2, Q: {file: Q.npy}, K: {file: K.npy}}\n")
            .dynamics()
            .weights()
            .heads(0);
    assertEquals(3, heads.get(0).q().rows());
    assertArrayEquals(new double[] {7, 8, 9, 10, 11, 12}, heads.get(1).q().dense());
    assertArrayEquals(new double[] {1, 2, 3, 4, 5, 6}, heads.get(1).k().dense());
  }

  @Test
  void weightsPerLayerAreListedOrDrawnAfresh() {
    WeightSchedule w =
        resolve(
                "tokens: {n: 2, d: 2}\nstop: {t: 2}\nmodel: {Q: {per_layer: wigner},"
                    + " K: gaussian, V: {layers: [{scale: 2}, {diag: [1, 3]}]}}\n")
            .dynamics()
            .weights();
    assertEquals(2, w.layers());
    Head first = w.heads(0).get(0);
    Head second = w.heads(1).get(0);
    assertEquals(Weight.scalar(2, 2), first.v());
    assertEquals(Weight.diagonal(1, 3), second.v());
    assertEquals(first.k(), second.k());
    assertNotEquals(first.q(), second.q());
    assertEquals(first.q(), w.heads(0).get(0).q());
  }

  @Test
  void theSeedOfAMatrixDecidesItAlone() {
    String text =
        "tokens: {n: 2, d: 3}\nstop: {t: 2}\n"
            + "model: {heads: 2, Q: {goe: {seed: 3}}, V: {goe: {seed: 3, scale: -2}}, K: goe}\n";
    List<Head> heads = resolve(text).dynamics().weights().heads(0);
    assertEquals(heads.get(0).q().scaled(-2), heads.get(0).v());
    assertNotEquals(heads.get(0).q(), heads.get(1).q());
    assertNotEquals(heads.get(0).q(), heads.get(0).k());
    List<Head> other = resolve(text, "seed=8").dynamics().weights().heads(0);
    assertEquals(heads.get(0).q(), other.get(0).q());
    assertNotEquals(heads.get(0).k(), other.get(0).k());
  }

  @Test
  void aStartDoesNotDependOnTheNumberOfTokensOrReplicas() {
    for (String init : List.of("uniform-sphere", "gaussian", "{uniform-cube: 5}")) {
      String text = "stop: {t: 1}\nmodel: {geometry: euclidean}\n";
      double[] few = resolve(text + "tokens: {n: 3, d: 5, init: " + init + "}\n").positions();
      double[] many =
          resolve(text + "tokens: {n: 9, d: 5, replicas: 2, init: " + init + "}\n").positions();
      assertArrayEquals(few, Arrays.copyOf(many, 15), init);
      assertNotEquals(many[0], many[45], init);
    }
  }

  @Test
  void startsAreWhatTheyAreCalled() {
    double[] sphere = start("n: 500, d: 3");
    double mean = 0;
    for (int i = 0; i < 500; i++) {
      assertEquals(1, InitialTokens.norm(sphere, 3 * i, 3), 4e-16);
      mean += sphere[3 * i] / 500;
    }
    assertEquals(0, mean, 5 / Math.sqrt(3 * 500));
    assertArrayEquals(new double[] {1, 0, 0, 0, 1, 0}, start("n: 2, d: 3, init: orthonormal"));
    for (double rho : new double[] {0.9, 0, 0.3, -0.2, -1.0 / 3}) {
      double[] x = start("n: 4, d: 5, init: {equiangular: " + rho + "}");
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
          double dot = 0;
          for (int c = 0; c < 5; c++) {
            dot += x[5 * i + c] * x[5 * j + c];
          }
          assertEquals(i == j ? 1 : rho, dot, 4e-16, "rho " + rho + ": " + i + ", " + j);
        }
      }
    }
  }

  private double[] start(String tokens) {
    return resolve("stop: {t: 1}\ntokens: {" + tokens + "}\n").positions();
  }

  @Test
  void betaTakesTheScoreScale() {
    String text = "tokens: {n: 2, d: 4}\nstop: {t: 1}\nmodel: {beta: 6, score_scale: inv-sqrt-d}\n";
    assertEquals(3, resolve(text).dynamics().at(0, 0).beta());
  }

  @Test
  void safetensorsMatrices() throws Exception {
    String json =
        "{\"__metadata__\":{\"a\":\"b\"},"
            + "\"w\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
            + "\"h\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,8]},"
            + "\"far\":{\"dtype\":\"F64\",\"shape\":[2,2],\"data_offsets\":[0,32]}}";
    byte[] header = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + header.length + 16).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header).putFloat(1).putFloat(2.5f).putFloat(-3).putFloat(4);
    Files.write(dir.resolve("m.safetensors"), file.array());
    String text =
        "tokens: {n: 2, d: 2}\nstop: {t: 1}\n"
            + "model: {V: {safetensors: m.safetensors, tensor: TENSOR}}\n";
    ResolvedExperiment r = resolve(text.replace("TENSOR", "w"));
    assertEquals(
        Weight.dense(2, 2, new double[] {1, 2.5, -3, 4}),
        r.dynamics().weights().heads(0).get(0).v());
    assertEquals(r.experiment(), resolve(r.yaml()).experiment());
    assertTrue(refused(text.replace("TENSOR", "h")).contains("is of type F16; convert it"));
    assertTrue(refused(text.replace("TENSOR", "x")).contains("no tensor x; did you mean"));
    assertTrue(refused(text.replace("TENSOR", "far")).contains("damaged or truncated"));
  }
}
