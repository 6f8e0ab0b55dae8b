package org.starling.core.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;

/** Which tokens an experiment freezes, where they stand, and what it refuses. */
class FrozenTokensTest {
  private static ResolvedExperiment resolve(String frozen, String rest) {
    String text =
        "model: {mask: causal, beta: 64}\ntokens: {n: 40, d: 2, replicas: 3, frozen: "
            + frozen
            + "}\nstop: {t: 2}\n"
            + rest;
    return ExperimentFile.parse("e.yaml", text, Path.of("/base"), List.of()).resolve();
  }

  private static int[] frozen(ResolvedExperiment e, int replica) {
    return e.replicaDynamics().get(replica).at(0, 0).roles().frozen();
  }

  @Test
  void statedTokensAreTheSameInEveryReplica() {
    assertArrayEquals(new int[] {0, 1, 2}, frozen(resolve("{first: 3}", ""), 2));
    ResolvedExperiment listed = resolve("{tokens: [7, 2]}", "");
    assertArrayEquals(new int[] {2, 7}, frozen(listed, 0));
    List<Dynamics> all = listed.replicaDynamics();
    assertSame(all.get(0), all.get(2));
    assertEquals(1, listed.distinctDynamics().size());
  }

  @Test
  void placedTokensStandThereAndOthersWhereTheyWould() {
    double[] plain = resolve("none", "").positions();
    ResolvedExperiment e = resolve("{angles: [0.5, 2]}", "sweep: {beta: [64, 128]}\n");
    double[] x = e.positions();
    for (int r = 0; r < 6; r++) {
      assertEquals(Math.cos(2), x[r * 80 + 2], 1e-15);
      assertEquals(Math.sin(0.5), x[r * 80 + 1], 1e-15);
      assertEquals(plain[r % 3 * 80 + 4], x[r * 80 + 4]);
    }
    assertArrayEquals(new int[] {0, 1}, frozen(e, 5));
  }

  @Test
  void centresAreThoseOfEachStart() {
    ResolvedExperiment e = resolve("{centres: {c: 4, kind: ordinary}}", "");
    assertNotSame(e.replicaDynamics().get(0), e.replicaDynamics().get(1));
    double[] x = e.positions();
    for (int r = 0; r < 3; r++) {
      int[] centres = frozen(e, r);
      assertEquals(0, centres[0]);
      assertTrue(centres.length > 4, centres.length + " centres");
      for (int a : centres) {
        for (int b : centres) {
          int i = r * 80 + 2 * a;
          int j = r * 80 + 2 * b;
          double cosine = x[i] * x[j] + x[i + 1] * x[j + 1];
          assertTrue(a == b || cosine < Math.cos(0.5), () -> a + " and " + b);
        }
      }
    }
    assertTrue(frozen(resolve("{centres: {}}", ""), 0).length <= frozen(e, 0).length);
  }

  @Test
  void theResolvedFileSaysTheSame() {
    for (String form :
        List.of("{first: 2}", "{tokens: [3]}", "{angles: [0.1]}", "{points: [[0.6, 0.8]]}")) {
      String yaml = resolve(form, "").yaml();
      assertTrue(yaml.contains("frozen: " + form), yaml);
      assertEquals(
          yaml, ExperimentFile.parse("e.yaml", yaml, Path.of("/base"), List.of()).resolve().yaml());
    }
  }

  @Test
  void weightsOfTheFirstTokensAndASink() {
    String text =
        "model: {mask: [causal, {first: 1}, {window: 3}], sink: {score: -1, place: [1, 0.5]}}\n"
            + "tokens: {n: 4, d: 2, weights: [3, 0.5], frozen: {tokens: [1]}}\nstop: {t: 2}\n";
    ResolvedExperiment e =
        ExperimentFile.parse("e.yaml", text, Path.of("/base"), List.of()).resolve();
    Layer layer = e.dynamics().at(0, 0);
    assertTrue(layer.keyed());
    assertEquals(3, layer.weight(0));
    assertEquals(1, layer.weight(2));
    assertEquals(0.5, layer.sink().place()[1]);
    // Row 3 sees keys 1, 2, 3 by the window, and key 0.
    assertEquals(4, layer.mask().liveKeys(3, 4));
    assertEquals(5.5, layer.liveMass(3, 4));
    String yaml = e.yaml();
    assertEquals(
        yaml, ExperimentFile.parse("e.yaml", yaml, Path.of("/base"), List.of()).resolve().yaml());
    assertTrue(yaml.contains("mask: [causal, {window: 3}, {first: 1}]"), yaml);
  }

  @Test
  void slopesOfHeads() {
    String rest = "\ntokens: {n: 4, d: 2}\nstop: {t: 2}\n";
    String geometric = "model: {heads: 4, mask: {alibi: geometric}}" + rest;
    ResolvedExperiment e =
        ExperimentFile.parse("e.yaml", geometric, Path.of("/base"), List.of()).resolve();
    assertEquals(-0.25, e.dynamics().at(0, 0).bias(0, 2, 1));
    assertEquals(-2 * Math.pow(2, -8), e.dynamics().at(0, 0).bias(3, 2, 0));
    assertTrue(e.yaml().contains("mask: {alibi: [0.25, 0.0625, 0.015625, 0.00390625]}"), e.yaml());
    String listed = "model: {mask: {alibi: [0.5, 0.1]}}" + rest;
    assertEquals(
        2,
        ExperimentFile.parse("e.yaml", listed, Path.of("/base"), List.of())
            .resolve()
            .dynamics()
            .at(0, 0)
            .heads()
            .size());
    String wrong = "model: {heads: 3, mask: {alibi: [0.5, 0.1]}}" + rest;
    ExperimentException refused =
        assertThrows(
            ExperimentException.class,
            () -> ExperimentFile.parse("e.yaml", wrong, Path.of("/base"), List.of()));
    assertTrue(refused.getMessage().contains("lists 2 slopes, but there are 3 heads"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model: {normalisation: hardmax, sink: {score: 1}} | a single key counts",
        "model: {normalisation: unnormalised, sink: {score: 1}} | unnormalised weights have none",
        "model: {geometry: rescaled, sink: {score: 1}} | use geometry: euclidean",
        "model: {sink: {score: 1, place: [1]}} | has 1 coordinates, but d = 2",
        "integrator: {merge: {distance: 1e-6}} | cannot be merged",
        "observe: [attention-entropy] | measured for keys that are alike"
      })
  void whereKeysCannotDiffer(String rest, String words) {
    ExperimentException e =
        assertThrows(
            ExperimentException.class,
            () ->
                ExperimentFile.parse(
                        "e.yaml",
                        rest + "\ntokens: {n: 4, d: 2, weights: [2]}\nstop: {t: 2}\n",
                        Path.of("/base"),
                        List.of())
                    .resolve());
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{first: 41} | names 41 tokens, but there are n = 40",
        "{tokens: [40]} | tokens go from 0 to 39",
        "{tokens: [4, 4]} | a second time",
        "{points: [[1, 0, 0]]} | points of 3 coordinates, but d = 2",
        "{points: [[1, 1]]} | norm",
        "{firsts: 2} | unknown key tokens.frozen.firsts; did you mean first?",
        "{centres: {kind: weak}} | strong or ordinary",
        "some | must be one of none"
      })
  void whatIsRefused(String form, String words) {
    ExperimentException e = assertThrows(ExperimentException.class, () -> resolve(form, ""));
    assertTrue(e.getMessage().contains(words), e.getMessage());
  }

  @Test
  void whatTreatsAllAlikeIsRefused() {
    ExperimentException merged =
        assertThrows(
            ExperimentException.class,
            () -> resolve("{first: 1}", "integrator: {merge: {distance: 1e-6}}\n"));
    assertTrue(merged.getMessage().contains("tokens.frozen"), merged.getMessage());
    ExperimentException noisy =
        assertThrows(
            ExperimentException.class,
            () ->
                ExperimentFile.parse(
                        "e.yaml",
                        "model: {noise: {kappa: 2}}\ntokens: {n: 4, d: 2, frozen: {first: 1}}\n"
                            + "integrator: {method: euler-maruyama}\nstop: {t: 1}\n",
                        Path.of("/base"),
                        List.of())
                    .resolve());
    assertTrue(noisy.getMessage().contains("noise moves every token"), noisy.getMessage());
  }
}
