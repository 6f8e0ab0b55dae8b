package org.starling.core.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;

class ExperimentErrorsTest {
  private static final String REST = "tokens: {n: 8, d: 3}\nstop: {t: 2}\n";

  private static List<Problem> problems(String text) {
    return assertThrows(
            ExperimentException.class,
            () -> ExperimentFile.parse("e.yaml", text, Path.of("/base"), List.of()))
        .problems();
  }

  /** One problem, at "line:column", whose message begins as given. */
  private static void one(String text, int line, int column, String message) {
    List<Problem> found = problems(text);
    assertEquals(1, found.size(), found::toString);
    Problem p = found.get(0);
    assertEquals("e.yaml:" + line + ":" + column, p.at().toString(), p.message());
    assertTrue(p.message().startsWith(message), p.message());
  }

  @Test
  void unknownKeysHaveTheirPlaceAndASuggestion() {
    one(
        REST + "model:\n  geometry: sphere\n  betta: 3\n",
        5,
        3,
        "unknown key model.betta; did you mean beta?");
    one(REST + "obsreve: [energy]\n", 3, 1, "unknown key obsreve; did you mean observe?");
    one(
        "tokens: {n: 8, d: 3, replica: 2}\nstop: {t: 2}\n",
        1,
        22,
        "unknown key tokens.replica; did you mean replicas?");
    one(REST + "zzz: 1\n", 3, 1, "unknown key zzz (known here: model, tokens,");
  }

  @Test
  void schemesNeedTheGeometryOfTheirTokens() {
    one(
        REST + "model: {scheme: pre}\n",
        3,
        17,
        "model.scheme: under pre, mix and peri tokens have radii and live in R^d");
    one(
        REST + "model: {geometry: euclidean, scheme: ngpt}\n",
        3,
        38,
        "model.scheme: under post, ngpt and sqrt tokens stay on the unit sphere");
    one(REST + "model: {scheme: prae}\n", 3, 17, "model.scheme must be one of post, pre,");
    one(
        REST
            + "model: {geometry: euclidean, scheme: {mix: {until: 2}}}\n"
            + "integrator: {method: layers}\n",
        4,
        22,
        "integrator.method: layers has no form of the scheme mix");
    one(
        REST + "model: {scheme: sqrt}\nintegrator: {merge: {distance: 0.1}}\n",
        4,
        21,
        "integrator.merge.distance: under a normalisation scheme");
  }

  @Test
  void feedForwardTermsFitGeometryAndDimension() {
    one(
        REST + "model: {feed_forward: {of: attention}}\n",
        3,
        23,
        "model.feed_forward: a map of the attention drift leaves the sphere");
    one(
        REST + "model: {feed_forward: {activation: rely}}\n",
        3,
        36,
        "model.feed_forward.activation must be one of relu, tanh, identity");
    one(
        REST + "model: {feed_forward: {}, scheme: sqrt}\n",
        3,
        23,
        "model.feed_forward: a feed-forward term has no form under a scheme");
  }

  @Test
  void noiseIsRefusedWhereItHasNoMeaning() {
    String steps = "integrator: {method: euler-maruyama}\n";
    one(
        REST + steps + "model: {noise: {sigma: 1}}\n",
        4,
        24,
        "model.noise.sigma: on the sphere the strength of noise is written kappa");
    one(
        REST + steps + "model: {geometry: euclidean, noise: {kappa: 1}}\n",
        4,
        45,
        "model.noise.kappa: off the sphere the strength of noise is written sigma");
    one(
        REST + steps + "model: {geometry: rescaled, noise: {sigma: 1}}\n",
        4,
        36,
        "model.noise: the rescaled geometry has none");
    one(REST + steps + "model: {noise: {}}\n", 4, 16, "model.noise must be none, or {kappa: k}");
    one(
        REST + "model: {noise: {kappa: 1}}\nintegrator: {method: rk4}\n",
        4,
        22,
        "integrator.method: the model has noise, and rk4 is a method for smooth");
    one(
        REST
            + "model: {noise: {kappa: 1}}\n"
            + "integrator: {method: euler-maruyama, merge: {distance: 0.1}}\n",
        4,
        45,
        "integrator.merge: the model has noise, and tokens that stand together");
  }

  @Test
  void wrongWordsListTheRightOnes() {
    one(
        REST + "model: {normalisation: unnormalized}\n",
        3,
        24,
        "model.normalisation must be one of softmax, unnormalised, hardmax, not unnormalized;"
            + " did you mean unnormalised?");
    one(REST + "model: {mask: casual}\n", 3, 15, "model.mask must be one of full, causal,");
    one(REST + "model: {mask: {windw: 4}}\n", 3, 16, "unknown mask windw; did you mean window?");
    one(REST + "model: {V: goa}\n", 3, 12, "model.V must be one of identity,");
    one(REST + "model: {V: {diagonal: [1, 2, 3]}}\n", 3, 13, "model.V: unknown kind of matrix");
    one(REST + "observe: [enrgy]\n", 3, 11, "observe[0] must be one of energy,");
    one(
        REST + "observe:\n  - clusters: {cosin: 0.9}\n",
        4,
        16,
        "unknown key observe[0].clusters.cosin; did you mean cosine?");
    one(
        "tokens: {n: 8, d: 3, init: uniform}\nstop: {t: 2}\n",
        1,
        28,
        "tokens.init must be one of uniform-sphere,");
  }

  @ParameterizedTest(name = "tokens.n: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "-4 | tokens.n must be >= 1, not -4",
        "0 | tokens.n must be >= 1, not 0",
        "2.5 | tokens.n must be a whole number, not the number 2.5",
        "99999999999 | tokens.n must be <= 2147483647, not 99999999999",
        "'\"8\"' | tokens.n must be a whole number, not the text \"8\"",
        "eight | tokens.n must be a whole number, not eight",
        "[8] | tokens.n must be a whole number, not a list",
        "{a: 8} | tokens.n must be a whole number, not a mapping",
      })
  void wrongCounts(String value, String message) {
    one("stop: {t: 2}\ntokens:\n  d: 3\n  n: " + value + "\n", 4, 6, message);
  }

  @ParameterizedTest(name = "model.beta: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        ".nan | model.beta must be a finite number, not .nan",
        "-.inf | model.beta must be a finite number, not -.inf",
        "1e999 | model.beta must be a finite number, not 1e999",
        "1_000 | model.beta must be a number, not 1_000",
        "nine | model.beta must be a number, not nine",
        "true | model.beta must be a number, not true",
      })
  void wrongNumbers(String value, String message) {
    one(REST + "model:\n  beta: " + value + "\n", 4, 9, message);
  }

  @ParameterizedTest(name = "model.beta: {0} is {1}")
  @CsvSource({"9, 9", "1e-6, 1e-6", "+.5, 0.5", "1.E+2, 100", "0x10, 16", "-0.0, -0.0"})
  void numbersOfYaml12(String value, double expected) {
    Experiment e =
        ExperimentFile.parse(
                "e.yaml", REST + "model: {beta: " + value + "}\n", Path.of("/"), List.of())
            .experiment();
    assertEquals(expected, e.model().beta());
  }

  @Test
  void syntaxErrorsHaveTheirPlace() {
    one(REST + "model: {beta: 1: 2}\n", 3, 16, "not valid YAML: ");
    one("tokens: [1, 2\nstop: 3\n", 2, 5, "not valid YAML: expected ',' or ']', but got ':'");
    one("tokens:\n\tn: 3\n", 2, 1, "not valid YAML: ");
    one(REST + "seed: 1\nseed: 2\n", 4, 1, "key seed is given twice; the first is at e.yaml:3:1");
    one(
        REST + "seed: &a 1\nmodel: {beta: *a}\n",
        4,
        15,
        "YAML anchors and aliases are not supported");
    one(REST + "---\nseed: 1\n", 4, 1, "a second YAML document");
  }

  @Test
  void allProblemsOfAFileComeTogetherInItsOrder() {
    List<Problem> found =
        problems(
            "seed: -1\ntokens: {n: -8, d: 3}\nmodel:\n  beta: x\n  masc: full\nstop: {t: 0}\n"
                + "integrator: {method: rk5}\n");
    assertEquals(
        List.of("1:7", "2:13", "4:9", "5:3", "6:11", "7:22"),
        found.stream().map(p -> p.at().line() + ":" + p.at().column()).toList(),
        found::toString);
  }

  @Test
  void missingPartsAreNamedWithAnExample() {
    List<Problem> found = problems("seed: 1\n");
    assertEquals(
        List.of(
            "tokens.n is missing: the number of tokens, such as n: 64",
            "tokens.d is missing: the dimension, such as d: 3",
            "stop.t is missing: the time to integrate to, such as stop: {t: 20}"),
        found.stream().map(Problem::message).toList());
    assertTrue(problems("").get(0).message().startsWith("the experiment is empty"));
    assertTrue(problems("# nothing\n").get(0).message().startsWith("the experiment is empty"));
    one("- a\n", 1, 1, "an experiment is a mapping of keys, not a list");
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    one(
        REST + "integrator: {method: rk4, dt: 0.1, rtol: 1e-6}\n",
        3,
        42,
        "integrator.rtol has no meaning for rk4");
    one(REST + "integrator: {dt: 0.1}\n", 3, 18, "integrator.dt has no meaning for dopri5");
    one(
        REST + "model: {geometry: rescaled, V: {per_layer: gaussian}}\n",
        3,
        32,
        "model.V must be the same in every layer");
    one(
        REST + "model: {geometry: rescaled}\nintegrator: {method: layers}\n",
        4,
        22,
        "integrator.method: layers is the discrete Transformer layer");
    one(
        "tokens: {n: 4, d: 3, init: orthonormal}\nstop: {t: 2}\n",
        1,
        28,
        "tokens.init needs n <= d, but n = 4 and d = 3");
    one(
        "tokens: {n: 3, d: 3, init: {equiangular: -0.6}}\nstop: {t: 2}\n",
        1,
        28,
        "tokens.init.equiangular must lie in [-1/(n-1), 1) = [-0.5, 1) for n = 3, not -0.6");
    one(
        "tokens: {n: 3, d: 3, init: gaussian}\nstop: {t: 2}\n",
        1,
        28,
        "tokens.init must give unit tokens in the sphere geometry");
    one(
        REST + "model: {heads: 2, Q: [identity, identity, goe]}\n",
        3,
        22,
        "model.Q lists 3 matrices, but there are 2 heads by model.heads");
    one(
        REST
            + "model: {V: {layers: [identity]}, Q: {layers: [goe, goe, goe]},"
            + " K: {layers: [goe, goe]}}\n",
        3,
        67,
        "model.K lists 2 layers, but model.Q lists 3");
    one(
        "tokens: {n: 8, d: 3}\nstop: {t: 3}\nmodel: {V: {layers: [identity, goe]}}\n",
        2,
        11,
        "stop.t = 3 reaches beyond the 2 layers listed");
    one(REST + "model: {V: {per_layer: identity}}\n", 3, 24, "model.V.per_layer must be random");
    one(REST + "save: {every: 1, times: [1]}\n", 3, 7, "save takes one of every, log, times");
    one(REST + "save: {times: [2, 1]}\n", 3, 15, "save.times must be >= 0 and strictly ascending");
    one(REST + "save: {log: {from: 3}}\n", 3, 13, "save.log.from must be < save.log.to");
    one(REST + "observe: [energy, energy]\n", 3, 19, "observe lists energy twice");
    one(REST + "execution: {walltime: soon}\n", 3, 23, "execution.walltime must be a number of");
    one(REST + "stop2: 1\n", 3, 1, "unknown key stop2; did you mean stop?");
  }

  @Test
  void filesThatCannotBeRead(@TempDir Path dir) throws Exception {
    Path latin =
        Files.write(dir.resolve("l.yaml"), "# caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(dir + ": is a directory, not a file", read(dir));
    assertEquals(dir.resolve("no.yaml") + ": there is no such file", read(dir.resolve("no.yaml")));
    assertEquals(latin + ": is not UTF-8 text", read(latin));
  }

  private static String read(Path file) {
    return assertThrows(ExperimentException.class, () -> ExperimentFile.read(file, List.of()))
        .getMessage();
  }

  @Test
  void overridesReachEveryKeyAndSayWhereTheyFail() {
    Experiment e =
        parse(
            REST + "model: {V: identity, mask: [causal, {window: 4}]}\nobserve: [energy]\n",
            "model.beta=4",
            "model.V.scale=-1",
            "model.mask.1.window=9",
            "model.Q={diag: [1, 2, 3]}",
            "observe[1]=norms",
            "stop.when={clusters: 1}",
            "model.beta=5");
    assertEquals(5, e.model().beta());
    assertEquals(WeightSpec.of(new MatrixSpec.Scale(-1)), e.model().v());
    assertEquals(9, e.model().mask().window());
    assertTrue(e.model().mask().causal());
    assertEquals(
        List.of("energy", "norms"), e.observe().stream().map(ObservableSpec::key).toList());
    assertEquals(1, ((StopSpec.Condition.Clusters) e.stop().when()).clusters());
    assertEquals(
        "--set model.betta=4: unknown key model.betta; did you mean beta? (known here: geometry,"
            + " mask, normalisation, beta, heads, score_scale, layer_time, Q, K, V, interaction,"
            + " noise, sink, scheme, feed_forward)",
        refused("model.betta=4"));
    assertTrue(refused("beta=4").contains("unknown key beta; did you mean model.beta?"));
    assertEquals("--set seed=x: seed must be a whole number, not x", refused("seed=x"));
    assertEquals("--set model: an override is key=value, such as model.beta=4", refused("model"));
    assertTrue(refused("model.V=[1").startsWith("--set model.V=[1: not valid YAML: "));
    assertTrue(refused("observe=[energy]", "observe.x=1").contains("observe is a list"));
    assertTrue(refused("observe=[energy]", "observe.3=norms").contains("would leave a gap"));
    assertTrue(refused("model..beta=1").contains("the key has an empty part"));
  }

  @Test
  void fileNamesAreRelativeToWhereTheyAreWritten() {
    String text = REST + "model: {Q: {file: Q.npy}}\n";
    ModelSpec model = parse(text, "model.V={file: V.npy}").model();
    assertEquals(matrix(Path.of("/base/Q.npy")), model.q());
    assertEquals(matrix(Path.of("V.npy").toAbsolutePath()), model.v());
  }

  private static WeightSpec matrix(Path file) {
    return WeightSpec.of(new MatrixSpec.Npy(new InputFile(file, null)));
  }

  @Test
  void aMethodChosenOnTheCommandLineLeavesTheFilesTolerancesBehind() {
    String text = REST + "integrator: {method: dopri5, rtol: 1e-8}\n";
    Experiment e = parse(text, "integrator.method=rk4", "integrator.dt=0.05");
    assertEquals(IntegratorSpec.fixed(Method.RK4, 0.05), e.integrator());
    assertThrows(
        ExperimentException.class,
        () -> parse(text, "integrator.method=rk4", "integrator.rtol=1e-9"));
    assertThrows(ExperimentException.class, () -> parse(text, "integrator.dt=0.05"));
  }

  private static Experiment parse(String text, String... overrides) {
    return ExperimentFile.parse("e.yaml", text, Path.of("/base"), List.of(overrides)).experiment();
  }

  private static String refused(String... overrides) {
    return assertThrows(ExperimentException.class, () -> parse(REST, overrides)).getMessage();
  }

  @Test
  void suggestionsCountASwapOnce() {
    assertEquals(1, Suggestion.distance("observe", "obsreve"));
    assertEquals(3, Suggestion.distance("kitten", "sitting"));
    assertEquals(4, Suggestion.distance("", "beta"));
  }
}
