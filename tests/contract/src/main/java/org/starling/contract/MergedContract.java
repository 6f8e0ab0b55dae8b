package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Tokens that stand together as keys. */
abstract class MergedContract extends VelocityTheme {
  static Stream<Object[]> models() {
    List<Object[]> cases = new ArrayList<>();
    Mask[] masks = {
      Mask.FULL, Mask.CAUSAL, Mask.window(5), Mask.prefix(30).and(Mask.window(20)), Mask.prefix(10)
    };
    int k = 0;
    for (Mask mask : masks) {
      for (Geometry geometry : new Geometry[] {Geometry.SPHERE, Geometry.EUCLIDEAN}) {
        Normalisation rule = k % 3 == 2 ? Normalisation.UNNORMALISED : Normalisation.SOFTMAX;
        Layers.Weights[] all = Layers.Weights.values();
        int d = new int[] {2, 3, 9}[k % 3];
        cases.add(new Object[] {geometry, rule, mask, all[k % all.length], d});
        k++;
      }
    }
    return cases.stream();
  }

  /**
   * A third as many groups as tokens; members of a group anywhere, together under the full mask.
   */
  @ParameterizedTest(name = "{0} {1} {2} {3} d={4} seed 511")
  @MethodSource("models")
  void agreesForEveryModel(
      Geometry geometry, Normalisation rule, Mask mask, Layers.Weights weights, int d) {
    int n = 133;
    MergedKeys keys = groups(n, 45);
    Layer layer = Layers.of(geometry, mask, rule, 2, d, weights, 511).withMerged(keys);
    double[] x =
        subject()
            .representable(
                geometry == Geometry.SPHERE
                    ? Tokens.sphere(n, d, 512)
                    : Tokens.gaussian(n, d, 512));
    double[] placed = mask.full() ? keys.positions(x, 0, d) : x;
    String name = geometry + " " + rule + " " + mask + " " + weights + " d=" + d;
    assertOwed(List.of(new Scene(name, n, d, placed, layer)));
  }

  /** Tight clusters and large beta, where sums cancel. */
  @ParameterizedTest(name = "beta={0} n=70 d=3, 64 spread=1e-4 seed 521")
  @ValueSource(doubles = {0, 9, 81})
  void keepsItsDigitsInsideClusters(double beta) {
    for (int d : new int[] {3, 64}) {
      int n = 70;
      double[] x = subject().representable(Tokens.clustered(n, d, 1e-4, 521));
      Layer causal =
          Layers.of(
              Geometry.SPHERE,
              Mask.CAUSAL,
              Normalisation.SOFTMAX,
              beta,
              d,
              Layers.Weights.IDENTITY,
              0);
      assertOwed(
          List.of(
              new Scene("d=" + d + " beta=" + beta, n, d, x, causal.withMerged(groups(n, 20)))));
    }
  }

  /** Tokens up to 1e-3 or as little as 1e-30 from their leaders, in one replica of two. */
  @ParameterizedTest(name = "d={0} n=45 seed 551")
  @ValueSource(ints = {1, 3, 9, 19})
  void howFarTokensStandFromTheirKeysIsMeasured(int d) {
    int n = 45;
    MergedKeys keys = groups(n, 15);
    for (double spread : new double[] {1e-3, 1e-30, 0}) {
      double[] x = new double[2 * n * d];
      Arrays.fill(x, 0, n * d, 1e6);
      SplittableRandom random = new SplittableRandom(551);
      for (int k = n * d; k < x.length; k++) {
        x[k] = spread * random.nextDouble(-1, 1);
      }
      x = subject().representable(x);
      double exact = keys.shift(x, n * d, d);
      try (State state = engine.allocateState(new Shape(2, n, d))) {
        engine.upload(state, x);
        double[] shift = engine.keyShift(state, new MergedKeys[] {null, keys});
        assertEquals(0, shift[0]);
        assertEquals(exact, shift[1], 1e-6 * exact, "spread " + spread);
        x[(2 * n - 1) * d] = Double.NaN;
        engine.upload(state, x);
        assertEquals(Double.NaN, engine.keyShift(state, new MergedKeys[] {null, keys})[1]);
        MergedKeys other = MergedKeys.alone(n + 1);
        assertThrows(
            EngineException.class, () -> engine.keyShift(state, new MergedKeys[] {null, other}));
      }
    }
  }

  @Test
  void aGroupOfOneEachChangesNothingThatIsOwed() {
    int n = 50;
    Layer layer = Layers.identity(3, 4);
    assertOwed(
        List.of(
            new Scene(
                "groups of one",
                n,
                3,
                subject().representable(Tokens.sphere(n, 3, 531)),
                layer.withMerged(MergedKeys.alone(n)))));
  }

  @Test
  void aCausalRowReadsNothingBehindItself() {
    int n = 90;
    int d = 5;
    Layer layer =
        Layers.of(
            Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 4, d, Layers.Weights.DENSE, 541);
    double[] x = Tokens.sphere(n, d, 541);
    double[] whole = velocity(n, d, x, layer.withMerged(groups(n, 31)));
    double[] changed = x.clone();
    Arrays.fill(changed, 60 * d, n * d, Double.NaN);
    double[] prefix = velocity(n, d, changed, layer.withMerged(groups(n, 31)));
    Close.sameBits(
        Arrays.copyOf(whole, 60 * d), Arrays.copyOf(prefix, 60 * d), "rows before the change");
  }

  @Test
  void underTheFullMaskAGroupStaysTogether() {
    int n = 66;
    MergedKeys keys = groups(n, 22);
    double[] x = keys.positions(subject().representable(Tokens.sphere(n, 2, 551)), 0, 2);
    double[] v = velocity(n, 2, x, Layers.identity(2, 3).withMerged(keys));
    Close.sameBits(v, keys.positions(v, 0, 2), "every token against its leader");
  }

  @Test
  void replicasHaveGroupsOfTheirOwn() {
    int n = 40;
    int[] groups = {7, 20, 13};
    Layer[] layers = new Layer[3];
    Arrays.setAll(
        layers,
        r ->
            Layers.of(
                    Geometry.SPHERE,
                    Mask.CAUSAL,
                    Normalisation.SOFTMAX,
                    2,
                    3,
                    Layers.Weights.IDENTITY,
                    0)
                .withMerged(groups(n, groups[r])));
    double[] all = subject().representable(Tokens.sphere(3 * n, 3, 571));
    Shape shape = new Shape(3, n, 3);
    double[] together;
    try (State x = state(shape, all);
        Field v = field(shape, new double[all.length])) {
      engine.velocity(x, layers, all(3), v);
      together = engine.download(v);
    }
    for (int r = 0; r < 3; r++) {
      double[] own = Arrays.copyOfRange(all, 3 * n * r, 3 * n * (r + 1));
      Close.sameBits(
          velocity(n, 3, own, layers[r]),
          Arrays.copyOfRange(together, 3 * n * r, 3 * n * (r + 1)),
          "replica " + r + " alone and with others");
    }
  }

  @Test
  void whatCannotBeMergedIsRefused() {
    Layer hard =
        Layers.of(
            Geometry.SPHERE, Mask.FULL, Normalisation.HARDMAX, 1, 3, Layers.Weights.IDENTITY, 0);
    assertThrows(IllegalArgumentException.class, () -> hard.withMerged(groups(9, 3)));
  }

  /**
   * Tokens at the angles (0, 1, 1, 1), causal, beta = 2: the last three begin at one place and are
   * merged as keys, yet each has a normaliser of its own and they separate.
   */
  @Test
  void coincidingTokensWithDifferentPrefixesSeparate() {
    double[] x = subject().representable(angles(0, 1, 1, 1));
    double[] merged = run(x, Mask.CAUSAL, new Merging(1e-3, 1), 1);
    double[] plain = run(x, Mask.CAUSAL, null, 1);
    double gap = Math.hypot(merged[2] - merged[4], merged[3] - merged[5]);
    assertTrue(gap > 0.05, () -> "tokens 1 and 2 are " + gap + " apart");
    // Keys are at most 1e-3 off, for the few steps before the tokens are further apart than that.
    for (int k = 0; k < x.length; k++) {
      assertEquals(plain[k], merged[k], 2e-3, "coordinate " + k);
    }
  }

  /** One step from one place: what is told of the keys is where tokens stand after it. */
  @Test
  void theLastStepCounts() {
    double[] x = subject().representable(angles(0, 1, 1, 1));
    double[] end = run(x, Mask.CAUSAL, new Merging(1e-3, 1000), 0.05);
    double gap = Math.hypot(end[2] - end[6], end[3] - end[7]);
    assertTrue(gap > 1e-3, () -> "tokens 1 and 3 are " + gap + " apart");
    // In the working precision, whatever the state holds beside.
    assertEquals(gap, shift, 1e-6 * gap);
  }

  @Test
  void mergedTokensMoveAsUnmergedOnesDo() {
    int n = 48;
    double[] x = new double[2 * n];
    double[] centres = Tokens.sphere(6, 2, 561);
    for (int i = 0; i < n; i++) {
      System.arraycopy(centres, i % 6 * 2, x, 2 * i, 2);
    }
    x = subject().representable(x);
    double[] merged = run(x, Mask.FULL, new Merging(1e-5, 4), 2);
    double[] plain = run(x, Mask.FULL, null, 2);
    for (int k = 0; k < x.length; k++) {
      assertEquals(plain[k], merged[k], 2e-5, "coordinate " + k);
    }
  }

  /** Largest shift of the last {@link #run}. */
  private double shift;

  /** To t = {@code end} by rk4 at beta = 2. */
  private double[] run(double[] x, Mask mask, Merging merging, double end) {
    Weight identity = Weight.identity(2);
    Dynamics dynamics =
        new Dynamics(
            Geometry.SPHERE,
            mask,
            Normalisation.SOFTMAX,
            2,
            WeightSchedule.constant(List.of(new Head(identity, identity, identity))),
            1,
            null);
    Shape shape = new Shape(1, x.length / 2, 2);
    State state = state(shape, x);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.RK4, 0.05).withMerging(merging);
    try (Integrator integrator =
        Integrators.create(spec, engine, new Dynamics[] {dynamics}, state)) {
      while (integrator.time(0) < end - 1e-9) {
        integrator.attempt(all(1));
        assertTrue(integrator.accepted(0), () -> integrator.failure(0).sentence());
      }
      if (merging != null && mask.full()) {
        assertTrue(integrator.merging(0).largestShift() <= merging.distance());
        assertEquals(6, integrator.merging(0).groups());
      }
      shift = merging == null ? 0 : integrator.merging(0).largestShift();
      return engine.download(integrator.state());
    }
  }

  private static double[] angles(double... angles) {
    double[] x = new double[2 * angles.length];
    for (int i = 0; i < angles.length; i++) {
      x[2 * i] = Math.cos(angles[i]);
      x[2 * i + 1] = Math.sin(angles[i]);
    }
    return x;
  }

  /** Groups whose members are spread over all tokens. */
  private static MergedKeys groups(int n, int groups) {
    int[] leader = new int[n];
    Arrays.setAll(leader, i -> i % groups);
    return new MergedKeys(leader);
  }
}
