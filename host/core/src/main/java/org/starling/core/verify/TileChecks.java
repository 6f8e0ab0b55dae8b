package org.starling.core.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Storage;
import org.starling.core.engine.WholeSteps;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.verify.VelocityChecks.Situation;

/**
 * What tile sizes decide, on an engine opened with some: every kernel that has them, in every
 * geometry, with masks that cut tiles, at sizes around their edges.
 */
final class TileChecks {
  private final Engine engine;
  private final Engine definition;
  private final Judge judge;

  TileChecks(Engine engine, Engine definition, Judge judge) {
    this.engine = engine;
    this.definition = definition;
    this.judge = judge;
  }

  List<Measurement> all(int d, Consumer<Measurement> listener) {
    VelocityChecks checks = new VelocityChecks(engine, judge);
    List<Measurement> done = new ArrayList<>();
    for (Situation s : situations(d)) {
      Measurement m = checks.velocity(s, s.n());
      done.add(m);
      listener.accept(m);
    }
    for (Measurement m : steps(d)) {
      done.add(m);
      listener.accept(m);
    }
    return done;
  }

  /** Whole steps of a single replica, where the engine makes them: of the same tiles. */
  private List<Measurement> steps(int d) {
    List<Measurement> all = new ArrayList<>();
    VelocityChecks checks = new VelocityChecks(engine, judge);
    Variant plain = variant(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, false, d);
    Variant general = variant(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, true, d);
    for (Method method : List.of(Method.RK4, Method.DOPRI5)) {
      for (Variant v : List.of(plain, general)) {
        Situation s = new Situation(v, 4, Verifier.SIZE, TestCloud.RANDOM);
        Need.Steps asked = new Need.Steps(method, new Shape(1, s.n(), d));
        WholeSteps whole = engine.wholeSteps().orElse(null);
        if (whole != null && whole.accepts(asked.scheme(), asked.shape(), List.of(s.layer()))) {
          all.add(checks.slope(s, whole, asked.scheme()));
          all.add(new StepChecks(engine, whole, definition).measure(s, asked.scheme()));
        }
      }
    }
    return all;
  }

  private List<Situation> situations(int d) {
    List<Situation> all = new ArrayList<>();
    for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
      Variant plain = variant(Geometry.SPHERE, mask, Normalisation.SOFTMAX, false, d);
      // Large scores have a kernel of their own.
      for (double beta : new double[] {0, 9, 81, 1000}) {
        all.add(new Situation(plain, beta, Verifier.SIZE, TestCloud.RANDOM));
      }
      all.add(new Situation(plain, 9, Verifier.SIZE, Verifier.TIGHT));
      for (int n : Verifier.EDGES) {
        all.add(new Situation(plain, 4, n, TestCloud.RANDOM));
      }
    }
    Mask cut = Mask.prefix(70).and(Mask.window(50));
    for (Mask mask : List.of(cut, Mask.CAUSAL)) {
      for (Geometry g : Geometry.values()) {
        Variant v = variant(g, mask, Normalisation.SOFTMAX, true, d);
        all.add(new Situation(v, 4, Verifier.SIZE, TestCloud.RANDOM));
      }
      Variant unnormalised = variant(Geometry.SPHERE, mask, Normalisation.UNNORMALISED, true, d);
      all.add(new Situation(unnormalised, 4, Verifier.SIZE, TestCloud.RANDOM));
      if (engine.storage() == Storage.FULL) {
        Variant hardmax = variant(Geometry.SPHERE, mask, Normalisation.HARDMAX, true, d);
        all.add(new Situation(hardmax, 4, Verifier.SIZE, TestCloud.RANDOM));
      }
    }
    return all;
  }

  private Variant variant(
      Geometry g, Mask mask, Normalisation normalisation, boolean dense, int d) {
    Variant.Form form = dense ? Variant.Form.DENSE : Variant.Form.SCALAR;
    return new Variant(g, mask, normalisation, form, dense ? 2 : 1, d, engine.precision(), null)
        .stored(engine.storage());
  }
}
