package org.starling.core.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Storage;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.verify.VelocityChecks.Situation;

/**
 * Velocities of an engine that keeps keys and values as numbers of 16 bits: each by the rule,
 * against the velocity of rounded keys, and by its distance from that of unrounded ones.
 */
final class HalfChecks {
  private final Engine engine;
  private final Judge judge;

  HalfChecks(Engine engine, Judge judge) {
    this.engine = engine;
    this.judge = judge;
  }

  List<Measurement> measure(Situation s) {
    return List.of(
        new VelocityChecks(engine, judge).velocity(s, s.n()),
        new StorageError(engine, judge).measure(s));
  }

  /** The whole programme. */
  List<Measurement> all(Consumer<Measurement> listener) {
    List<Measurement> done = new ArrayList<>();
    for (Situation s : situations()) {
      for (Measurement m : measure(s)) {
        done.add(m);
        listener.accept(m);
      }
    }
    return done;
  }

  private List<Situation> situations() {
    List<Situation> all = new ArrayList<>();
    List<TestCloud> clouds = List.of(TestCloud.RANDOM, new TestCloud(1e-1), Verifier.TIGHT);
    Normalisation softmax = Normalisation.SOFTMAX;
    for (int d : new int[] {9, 64, 512}) {
      for (Geometry g : Geometry.values()) {
        for (double beta : Verifier.BETAS) {
          for (TestCloud cloud : clouds) {
            Variant v = variant(g, Mask.FULL, softmax, Variant.Form.SCALAR, 1, d);
            all.add(new Situation(v, beta, Verifier.SIZE, cloud));
          }
        }
        Variant dense = variant(g, Mask.FULL, softmax, Variant.Form.DENSE, 2, d);
        all.add(new Situation(dense, 4, Verifier.SIZE, TestCloud.RANDOM));
      }
    }
    for (Mask mask : List.of(Mask.CAUSAL, Mask.alibi(0.1), Mask.prefix(70).and(Mask.window(50)))) {
      for (Normalisation normalisation : List.of(softmax, Normalisation.UNNORMALISED)) {
        Variant v = variant(Geometry.SPHERE, mask, normalisation, Variant.Form.DENSE, 1, 64);
        all.add(new Situation(v, 9, Verifier.SIZE, TestCloud.RANDOM));
      }
    }
    for (int n : Verifier.EDGES) {
      Variant v = variant(Geometry.SPHERE, Mask.CAUSAL, softmax, Variant.Form.SCALAR, 1, 64);
      all.add(new Situation(v, 4, n, TestCloud.RANDOM));
    }
    return all;
  }

  private Variant variant(
      Geometry g, Mask mask, Normalisation normalisation, Variant.Form form, int heads, int d) {
    return new Variant(g, mask, normalisation, form, heads, d, engine.precision(), null)
        .stored(Storage.HALF);
  }
}
