package org.starling.cpu.fast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Replicas that threads share out among them have the bits that each has alone. */
class ManyReplicasTest {
  private static final int N = 20;
  private static final int D = 2;

  private static Layer layer(double beta) {
    Weight one = Weight.identity(D);
    return new Dynamics(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            beta,
            WeightSchedule.constant(List.of(new Head(one, one, one))),
            1,
            null)
        .at(0, 0);
  }

  @Test
  void sharedReplicasHaveTheBitsOfLoneOnes() {
    int count = 100 * Rows.threads();
    Layer[] layers = new Layer[count];
    Arrays.setAll(layers, r -> layer(0.1 * r));
    boolean[] active = new boolean[count];
    Arrays.fill(active, true);
    active[3] = false;
    double[] x = new double[count * N * D];
    Philox stream = Philox.stream(1, Philox.Purpose.TOKENS, 0);
    for (int i = 0; i < count * N; i++) {
      stream.gaussians(0, i, x, i * D, D);
    }
    FastProvider provider = new FastProvider();
    try (Engine engine =
            provider.open(provider.devices().get(0), EngineOptions.of(Precision.SINGLE));
        State all = engine.allocateState(new Shape(count, N, D));
        Field v = engine.allocateField(all.shape());
        State one = engine.allocateState(new Shape(1, N, D));
        Field w = engine.allocateField(one.shape())) {
      engine.upload(all, x);
      engine.retract(all, active);
      engine.velocity(all, layers, active, v);
      double[] states = engine.download(all);
      double[] fields = engine.download(v);
      var clusters = engine.observations().clusters(all, Linkage.COSINE, 0.9);
      for (int r = 0; r < count; r++) {
        int from = r * N * D;
        engine.upload(one, Arrays.copyOfRange(x, from, from + N * D));
        if (!active[r]) {
          assertArrayEquals(engine.download(one), Arrays.copyOfRange(states, from, from + N * D));
          continue;
        }
        engine.retract(one, new boolean[] {true});
        engine.velocity(one, new Layer[] {layers[r]}, new boolean[] {true}, w);
        String where = "seed 1, replica " + r;
        assertArrayEquals(
            engine.download(one), Arrays.copyOfRange(states, from, from + N * D), where);
        assertArrayEquals(
            engine.download(w), Arrays.copyOfRange(fields, from, from + N * D), where);
        assertEquals(
            engine.observations().clusters(one, Linkage.COSINE, 0.9)[0].count(),
            clusters[r].count(),
            where);
      }
    }
  }
}
