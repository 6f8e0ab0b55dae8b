package org.starling.analysis.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.analysis.predict.Hypothesis.Answer;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;

class PredictorTest {
  @TempDir Path folder;

  private List<Judgement> judge(String model, String tokens, String... sets) {
    String text =
        "model: {"
            + model
            + "}\n"
            + "tokens: {"
            + tokens
            + "}\n"
            + "integrator: {method: rk4, dt: 0.1}\n"
            + "stop: {t: 20}\n"
            + "seed: 3\n";
    ExperimentFile file = ExperimentFile.parse("test.yaml", text, folder, List.of(sets));
    return Predictor.judge(Situation.of(file.resolve()));
  }

  private static Judgement find(List<Judgement> all, String id) {
    return all.stream().filter(j -> j.id().equals(id)).findFirst().orElseThrow();
  }

  private static Object value(Judgement j, String quantity) {
    return j.predictions().stream()
        .filter(p -> p.quantity().equals(quantity))
        .findFirst()
        .orElseThrow(() -> new AssertionError(j.toString()))
        .value();
  }

  private static double number(Judgement j, String quantity) {
    return ((Number) value(j, quantity)).doubleValue();
  }

  @Test
  void noiseHasAStatementOfItsOwnAndTheOthersDoNotHold() {
    String model = "normalisation: unnormalised, beta: 1, noise: {kappa: 1.5}";
    List<Judgement> all = judge(model, "n: 50, d: 2", "integrator.method=euler-maruyama");
    Judgement noise = find(all, "noise-threshold");
    assertEquals(Answer.HOLDS, noise.applies(), noise.toString());
    assertEquals(1.769413, number(noise, "kappa-1"), 1e-6);
    assertTrue(noise.predictions().get(0).text().contains("stable, tokens stay spread out"));
    for (Judgement other : all) {
      assertTrue(other == noise || other.applies() == Answer.FAILS, other.toString());
    }
    assertEquals(Answer.FAILS, find(judge("beta: 1", "n: 50, d: 2"), "noise-threshold").applies());
  }

  /** Statements about R^d: model, dimension, statement, whether it applies. */
  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "V: identity | 3 | polytope | HOLDS",
        "V: {scale: 2} | 3 | polytope | HOLDS",
        "V: identity, Q: {scale: -1} | 3 | polytope | FAILS",
        "V: {scale: -1} | 3 | polytope | FAILS",
        "V: {scale: -1} | 3 | collapse-to-origin | HOLDS",
        "V: identity | 3 | collapse-to-origin | FAILS",
        "V: {diag: [2, 1, -1]} | 3 | three-hyperplanes | HOLDS",
        "V: {diag: [2, 1, -1]}, beta: -1 | 3 | three-hyperplanes | FAILS",
        "V: {diag: [1, 1, -1]} | 3 | three-hyperplanes | FAILS",
        "V: {diag: [1, -2, 0.5]} | 3 | three-hyperplanes | FAILS",
        "V: {diag: [1, 1, -0.5]} | 3 | polytope-times-subspace | HOLDS",
        "V: {diag: [1, 1, -1.5]} | 3 | polytope-times-subspace | FAILS",
        "V: identity | 3 | polytope-times-subspace | FAILS",
        // False as printed: V = I has k = d and 3 to 13 vertices.
        "V: identity | 3 | codimension | FAILS",
        "V: {diag: [2, 0.25, -0.2]} | 3 | codimension | HOLDS",
        "V: {scale: 0.8} | 1 | boolean-low-rank | HOLDS",
        "V: {scale: -1} | 1 | boolean-low-rank | FAILS",
        "V: identity, mask: causal | 3 | polytope | FAILS",
        "V: identity, normalisation: unnormalised | 3 | polytope | FAILS",
      })
  void statementsAboutSpace(String model, int d, String id, Answer expected) {
    List<Judgement> all =
        judge("geometry: rescaled, " + model, "n: 12, d: " + d + ", init: {uniform-cube: 5}");
    Judgement j = find(all, id);
    assertEquals(expected, j.applies(), j.toString());
    assertEquals(expected == Answer.HOLDS, !j.predictions().isEmpty());
    if (expected == Answer.FAILS && j.about()) {
      assertTrue(j.hypotheses().stream().anyMatch(h -> h.answer() == Answer.FAILS));
    }
    assertFalse(find(all, "causal-collapse").about());
  }

  /** Statements about the sphere. */
  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "mask: causal | 3 | causal-collapse | HOLDS",
        "mask: causal, Q: {gaussian: {seed: 1}} | 3 | causal-collapse | HOLDS",
        "mask: causal, V: {scale: -1} | 3 | causal-collapse | FAILS",
        "mask: [causal, {window: 4}] | 3 | causal-collapse | FAILS",
        "mask: causal, normalisation: hardmax | 3 | causal-collapse | FAILS",
        "mask: causal, V: {diag: [1, 0.5, 0.2]} | 3 | causal-two-poles | HOLDS",
        "mask: causal, V: {diag: [1, 1, 0.5]} | 3 | causal-two-poles | FAILS",
        "mask: causal, V: {diag: [1, 1, 0.5]} | 3 | causal-point-in-L | HOLDS",
        "mask: causal, V: {diag: [1, 0.5, 0.2]} | 3 | causal-point-in-L | FAILS",
        "mask: causal, V: {diag: [-1, -1, -2]} | 3 | causal-atlas | HOLDS",
        "mask: causal, V: {diag: [0, -1, -2]} | 3 | causal-atlas | FAILS",
        "mask: causal, V: {gaussian: {seed: 4}} | 3 | first-token | HOLDS",
        "mask: causal, normalisation: unnormalised | 3 | first-token | FAILS",
        "mask: causal, beta: 64 | 2 | strong-centres | HOLDS",
        "mask: causal, beta: 64 | 3 | strong-centres | FAILS",
        // delta = 4 beta^{-1/2} does not fit on the circle.
        "mask: causal, beta: 1 | 2 | strong-centres | FAILS",
        "mask: causal, beta: 64 | 2 | centre-counts | HOLDS",
        "mask: causal, beta: 64 | 2 | frozen-centres | FAILS",
        "mask: full, beta: 4 | 3 | single-cluster | HOLDS",
        "mask: full, V: {scale: -1} | 3 | single-cluster | FAILS",
        "mask: full, Q: {gaussian: {seed: 1}} | 3 | single-cluster | FAILS",
        "mask: full | 16 | cone-collapse | HOLDS",
        "mask: full, Q: {gaussian: {seed: 1}} | 16 | cone-collapse | HOLDS",
        "mask: full | 3 | equiangular | FAILS",
        "mask: full, V: {scale: -1} | 3 | monotone-energy | HOLDS",
        "mask: full, V: {diag: [1, 2, 3]} | 3 | monotone-energy | FAILS",
        "mask: full, beta: 32 | 3 | metastability | FAILS",
        "mask: full, beta: 5 | 2 | fastest-mode | FAILS",
      })
  void statementsAboutTheSphere(String model, int d, String id, Answer expected) {
    Judgement j =
        find(judge("geometry: sphere, " + model, "n: 16, d: " + d + ", init: uniform-sphere"), id);
    assertTrue(j.about(), j.toString());
    assertEquals(expected, j.applies(), j.toString());
    assertEquals(expected == Answer.HOLDS, !j.predictions().isEmpty());
  }

  /** The setting of science's test of Theorem 5.2, and the same with the centres too near. */
  @Test
  void frozenTokensAreWhatTheoremFiveTwoIsAbout() {
    String model = "geometry: sphere, mask: causal, beta: 11";
    String tokens = "n: 38, d: 2, init: uniform-sphere, frozen: {angles: ";
    List<Judgement> all = judge(model, tokens + "[0, 3.141592653589793]}");
    Judgement far = find(all, "frozen-centres");
    assertEquals(Answer.HOLDS, far.applies(), far.toString());
    assertEquals(0.09 / Math.sqrt(11), number(far, "distance"), 1e-12);
    // What others say does not hold with tokens that stand still.
    assertEquals(Answer.FAILS, find(all, "strong-centres").applies());
    Judgement near = find(judge(model, tokens + "[0, 0.6]}"), "frozen-centres");
    assertEquals(Answer.FAILS, near.applies(), near.toString());
  }

  @Test
  void whatCausalStatementsPredict() {
    List<Judgement> all =
        judge(
            "geometry: sphere, mask: causal, beta: 9, V: {scale: 2}",
            "n: 16, d: 3, init: uniform-sphere");
    Judgement collapse = find(all, "causal-collapse");
    assertEquals(1, number(collapse, "rate"));
    double[] x1 = (double[]) value(collapse, "limit");
    assertArrayEquals(x1, (double[]) value(find(all, "first-token"), "position"), 1e-12);
    assertEquals("FIRST_TOKEN", value(find(all, "causal-atlas"), "shape"));
    Judgement poles =
        find(
            judge(
                "geometry: sphere, mask: causal, beta: 0.3, V: {diag: [1, 0.5, 0.5]}",
                "n: 16, d: 3, init: uniform-sphere"),
            "causal-two-poles");
    assertArrayEquals(new double[] {1, 0, 0}, (double[]) value(poles, "limit"), 1e-12);
    assertEquals(0.5, number(poles, "rate"), 1e-12);
    // At beta = 0.3 always one pole, at 9 two (causal.md 1.4).
    assertEquals(1, number(poles, "poles"));
    Judgement cold =
        find(
            judge(
                "geometry: sphere, mask: causal, beta: 9, V: {diag: [1, 0.5, 0.2]}",
                "n: 16, d: 3, init: uniform-sphere"),
            "causal-two-poles");
    assertEquals(2, number(cold, "poles"));
  }

  @Test
  void whatFullAttentionPredicts() {
    Judgement e =
        find(
            judge("geometry: sphere, mask: full, beta: 6", "n: 32, d: 32, init: orthonormal"),
            "equiangular");
    assertEquals(15.995, number(e, "hitting-time"), 5e-3);
    assertTrue(number(e, "gamma") > 0.999);
    Judgement mode =
        find(
            judge("geometry: sphere, mask: full, beta: 5", "n: 400, d: 2, init: uniform-sphere"),
            "fastest-mode");
    assertEquals(3, number(mode, "mode"));
    assertEquals(.6827, number(mode, "rate"), 5e-5);
    Judgement open =
        find(
            judge("geometry: sphere, mask: full, beta: 6", "n: 32, d: 32, init: orthonormal"),
            "single-cluster");
    assertEquals(Answer.OPEN, open.applies());
  }

  @Test
  void theExampleThatMeetsTheMetastabilityTheorem() throws IOException {
    // Four tokens around each of three orthonormal centres, within caps of eps = .005.
    Random random = new Random(1);
    double[] x = new double[36];
    for (int i = 0; i < 12; i++) {
      double square = 0;
      for (int c = 0; c < 3; c++) {
        x[3 * i + c] = (c == i % 3 ? 1 : 0) + .02 * random.nextGaussian();
        square += x[3 * i + c] * x[3 * i + c];
      }
      for (int c = 0; c < 3; c++) {
        x[3 * i + c] /= Math.sqrt(square);
      }
    }
    Npy.write(folder.resolve("x0.npy"), ElementType.FLOAT64, x, 12, 3);
    String model = "geometry: sphere, mask: full, beta: 32";
    Judgement j = find(judge(model, "init: {file: x0.npy}"), "metastability");
    assertEquals(Answer.HOLDS, j.applies(), j.toString());
    assertEquals(3, number(j, "clusters"));
    assertTrue(number(j, "T1") < 1000 && number(j, "T2") > 1e6, j.toString());
    Judgement hot = find(judge(model, "init: {file: x0.npy}", "model.beta=8"), "metastability");
    assertEquals(Answer.FAILS, hot.applies(), hot.toString());
    assertTrue(hot.predictions().isEmpty());
  }

  @Test
  void levelsCountTheSidesOfTheLeftEigenvector() {
    Judgement both =
        find(
            judge("geometry: rescaled, V: {diag: [2, 1]}", "n: 12, d: 2, init: {uniform-cube: 5}"),
            "three-hyperplanes");
    assertEquals(2, number(both, "levels"));
    assertEquals(2, number(both, "rate"), 1e-12);
  }
}
