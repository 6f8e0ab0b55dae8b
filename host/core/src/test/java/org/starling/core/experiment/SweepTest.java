package org.starling.core.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.experiment.SweepSpec.Values;
import org.starling.core.model.Dynamics;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;

/** What a sweep's points are, and what is said of a sweep that has none. */
class SweepTest {
  private static final String REST = "tokens: {n: 5, d: 3}\nstop: {t: 2}\n";

  private static ExperimentFile read(String text, String... overrides) {
    return ExperimentFile.parse("e.yaml", text, Path.of("/base"), List.of(overrides));
  }

  private static ResolvedExperiment resolve(String text, String... overrides) {
    return read(text, overrides).resolve();
  }

  private static double[] start(ResolvedExperiment e, int replica) {
    int one = e.shape().n() * e.shape().d();
    return Arrays.copyOfRange(e.positions(), replica * one, (replica + 1) * one);
  }

  private static double beta(ResolvedExperiment e, int replica) {
    return e.replicaDynamics().get(replica).at(0, 0).beta();
  }

  @Test
  void tokensMayComeFromAFile(@TempDir Path dir) {
    double[] x = {1, 0, 0, 1, 0.6, 0.8};
    Npy.write(dir.resolve("x0.npy"), ElementType.FLOAT64, x, 3, 2);
    String text = "tokens: {init: {file: x0.npy}}\nstop: {t: 1}\nsweep: {beta: [1, 4]}\n";
    ResolvedExperiment swept = ExperimentFile.parse("e.yaml", text, dir, List.of()).resolve();
    assertArrayEquals(x, start(swept, 0));
    assertArrayEquals(x, start(swept, 1));
    assertEquals(4, beta(swept, 1));
  }

  /** Every replica is the run of its point alone: same dynamics, same start. */
  @Test
  void replicasAreTheRunsOfTheirPoints() {
    ResolvedExperiment swept =
        resolve(
            REST
                + "model: {V: {gaussian: {scale: 2}}, Q: goe}\n"
                + "sweep: {seed: [7, 3], beta: {linspace: [0.1, 9, 3]}, V.gaussian.scale: [1, 4]}\n");
    assertEquals(12, swept.shape().replicas());
    double[] betas = {0.1, 0.1 + (9 - 0.1) / 2, 9};
    for (int r = 0; r < 12; r++) {
      long seed = r < 6 ? 7 : 3;
      double beta = betas[r / 2 % 3];
      int scale = r % 2 == 0 ? 1 : 4;
      ResolvedExperiment alone =
          resolve(
              REST + "model: {V: {gaussian: {}}, Q: goe}\n",
              "seed=" + seed,
              "model.beta=" + beta,
              "model.V.gaussian.scale=" + scale);
      String where = "replica " + r;
      assertEquals(
          Map.of("model.beta", (Object) beta, "model.V.gaussian.scale", (Object) (long) scale),
          swept.parameters().get(r),
          where);
      assertEquals(seed, swept.seed(r), where);
      assertArrayEquals(start(alone, 0), start(swept, r), where);
      var one = alone.dynamics().at(0, 0);
      var own = swept.replicaDynamics().get(r).at(0, 0);
      assertEquals(one.beta(), own.beta(), where);
      assertArrayEquals(one.heads().get(0).s().dense(), own.heads().get(0).s().dense(), where);
      assertArrayEquals(one.heads().get(0).v().dense(), own.heads().get(0).v().dense(), where);
    }
    // Equal weights of different beta are one matrix.
    assertSame(
        swept.replicaDynamics().get(0).at(0, 0).heads().get(0).s(),
        swept.replicaDynamics().get(2).at(0, 0).heads().get(0).s());
  }

  @Test
  void equalDynamicsAreOneObject() {
    ResolvedExperiment e =
        resolve(REST + "sweep: {beta: {linspace: [0.1, 9, 50]}, seed: {range: [0, 2000]}}\n");
    assertEquals(100_000, e.shape().replicas());
    assertEquals(50, e.distinctDynamics().size());
    List<Dynamics> all = e.replicaDynamics();
    assertSame(all.get(0), all.get(1999));
    assertNotSame(all.get(1999), all.get(2000));
    double[] x = e.positions();
    int one = e.shape().n() * e.shape().d();
    assertArrayEquals(
        Arrays.copyOfRange(x, 17 * one, 18 * one),
        Arrays.copyOfRange(x, (49 * 2000 + 17) * one, (49 * 2000 + 18) * one));
  }

  @Test
  void startsMultiplyThePoints() {
    ResolvedExperiment e =
        resolve("tokens: {n: 5, d: 3, replicas: 2}\nstop: {t: 2}\nsweep: {beta: [1, 3]}\n");
    assertEquals(4, e.shape().replicas());
    assertEquals(1, beta(e, 1));
    assertEquals(3, beta(e, 2));
    assertArrayEquals(start(e, 1), start(e, 3));
    assertNotEquals(start(e, 0)[0], start(e, 1)[0]);
    assertEquals(false, e.experiment().save().trajectory());
  }

  @Test
  void whatNoSeedDecidesIsTheSameForAllSeeds() {
    ResolvedExperiment e =
        resolve(
            "tokens: {n: 3, d: 3}\nstop: {t: 2}\nmodel: {V: {goe: {seed: 3}}}\n"
                + "sweep: {init.equiangular: [0.1, 0.5], seed: [0, 1]}\n");
    assertEquals(1, e.distinctDynamics().size());
    assertArrayEquals(start(e, 0), start(e, 1));
    double[] x = start(e, 2);
    assertEquals(0.5, x[0] * x[3] + x[1] * x[4] + x[2] * x[5], 1e-14);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sweep: {beta: [1, 2.5], seed: {range: [0, 3]}}",
        "sweep: {beta: {linspace: [0.1, 9, 30]}, mask.window: [1, 3]}\nmodel: {mask: {window: 9}}",
        "sweep: {Q: {1: {scale: {geomspace: [0.5, 2, 3]}}}}\nmodel: {Q: [goe, {scale: 2}]}",
        "sweep: {V.diag.1: {logspace: [-1, 1, 3]}}\nmodel: {V: {diag: [1, 1, 1]}}",
        "sweep: {V.gaussian.seed: [3, 9223372036854775807]}\nmodel: {V: gaussian}",
        "sweep: {init.gaussian.std: [1.0, 2]}\nmodel: {geometry: euclidean}",
      })
  void aResolvedSweepReadsBackAsTheSame(String block) {
    ResolvedExperiment first = resolve(REST + block + "\n");
    ResolvedExperiment again = resolve(first.yaml());
    assertEquals(first.experiment(), again.experiment());
    assertEquals(first.yaml(), again.yaml());
    assertEquals(first.id(), again.id());
    assertArrayEquals(first.positions(), again.positions());
  }

  @Test
  void valuesAreThoseOfNumPy() {
    Values linear = new Values.Linear(0.1, 9, 90);
    assertEquals(0.1 + 7 * ((9 - 0.1) / 89), linear.at(7));
    assertEquals(9.0, linear.at(89));
    Values ratios = new Values.Geometric(1, 1000, 4);
    assertEquals(10, ratios.at(1).doubleValue(), 1e-13);
    assertEquals(1000.0, ratios.at(3));
    assertEquals(0.1, new Values.Powers(-1, 1, 3).at(0).doubleValue(), 1e-16);
    assertEquals(4, new Values.Range(3, 7).size());
    assertEquals(6L, new Values.Range(3, 7).at(3));
  }

  @Test
  void theIdFollowsTheSweep() {
    String text = REST + "sweep: {beta: [1, 2]}\n";
    assertNotEquals(resolve(text).id(), resolve(REST).id());
    assertNotEquals(resolve(text).id(), resolve(text, "sweep.beta=[1, 3]").id());
    assertEquals(resolve(text).id(), resolve(REST, "sweep.model.beta=[1, 2]").id());
    assertEquals(resolve(REST).id(), resolve(text, "sweep.beta=null").id());
    assertEquals(resolve(REST).id(), resolve(text, "sweep=null").id());
    ResolvedExperiment more = resolve(text, "sweep.seed.range=[0, 5]", "sweep.V.scale=[1]");
    assertEquals(10, more.shape().replicas());
    assertEquals(
        List.of("model.beta", "seed", "model.V.scale"),
        more.experiment().sweep().axes().stream().map(SweepSpec.Axis::key).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sweep: {beta: [1, x]}|3:19|sweep.model.beta[1] must be a number, not x",
        "sweep: {betta: [1]}|3:9|betta cannot be swept: it is not a key of an experiment; did you"
            + " mean beta?",
        "sweep: {tokens.n: [1, 2]}|3:9|tokens.n cannot be swept: it decides the shape of the state",
        "sweep: {integrator.dt: [1]}|3:9|integrator.dt cannot be swept: it is shared by all",
        "sweep: {beta: [1], model.beta: [2]}|3:20|sweep names model.beta twice",
        "sweep: {beta: {linspce: [1, 2, 3]}}|3:16|sweep.model.beta must be a list of numbers",
        "sweep: {beta: {linspace: [1, 2]}}|3:26|sweep.model.beta.linspace must have 3 entries",
        "sweep: {seed: {range: [5, 5]}}|3:27|sweep.seed.range is empty",
        "sweep: {seed: [1, -2]}|3:19|seed must be >= 0, not -2",
        "sweep: {seed: {linspace: [0, 1, 3]}}|3:15|seed must be a whole number, not the number 0.5",
        "sweep: {model.V.scael: [1]}|3:25|model.V: unknown kind of matrix scael; did you mean",
        "sweep: {V.scale: [1, .inf]}|3:22|sweep.model.V.scale[1] must be a finite number",
        "sweep: {seed: {range: [0, 9999]}, beta: {linspace: [1, 2, 9999]}}|3:35|sweep has more than",
        "sweep: {init.equiangular: [0.1, 1.5]}|3:33|tokens.init.equiangular must lie in",
      })
  void whatCannotBeSweptIsSaidWithItsPlace(String block, String place, String message) {
    List<Problem> found =
        assertThrows(
                ExperimentException.class,
                () -> read("tokens: {n: 3, d: 3}\nstop: {t: 2}\n" + block + "\n"))
            .problems();
    assertEquals(1, found.size(), found::toString);
    assertEquals("e.yaml:" + place, found.get(0).at().toString(), found.get(0).message());
    assertTrue(found.get(0).message().startsWith(message), found.get(0).message());
  }

  @Test
  void oneValueForASweptKeyIsRefused() {
    ExperimentException e =
        assertThrows(
            ExperimentException.class,
            () -> read(REST + "sweep: {beta: [1, 2]}\n", "model.beta=4"));
    assertTrue(e.getMessage().contains("is swept at e.yaml:3:9"), e.getMessage());
    assertTrue(e.getMessage().contains("--set sweep.model.beta=null"), e.getMessage());
    String listed = REST + "model: {V: [{scale: 2}]}\nsweep: {V.0.scale: [1, 2]}\n";
    ExperimentException kept = assertThrows(ExperimentException.class, () -> resolve(listed));
    assertTrue(kept.getMessage().contains("model.V.0.scale"), kept.getMessage());
    String layers = REST + "integrator: {method: layers}\nsweep: {layer_time: [1, 2]}\n";
    ExperimentException shared = assertThrows(ExperimentException.class, () -> read(layers));
    assertTrue(
        shared.getMessage().contains("integrator and save would change with it"),
        shared.getMessage());
  }
}
