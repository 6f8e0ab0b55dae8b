package org.starling.core.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Judge;
import org.starling.core.engine.NativeFunctions;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.WholeSteps;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.verify.VelocityChecks.Situation;

/**
 * Measures an engine against the float64 definition. {@link #all} is the whole programme; {@link
 * #needed} measures only what one run will launch.
 */
public final class Verifier {
  /**
   * Number of the rules and situations. Raise it with every change that may turn a verdict, so that
   * what earlier rules refused or let pass is measured again.
   */
  static final int RULES = 6;

  static final double[] BETAS = {0, 1, 9, 81};
  private static final int[] DIMENSIONS = {2, 3, 64, 512};

  /** A size that no tile divides, large enough for several tiles in both directions. */
  static final int SIZE = 149;

  /** A size that makes several blocks of a series, and several vectors of blocks. */
  private static final int SERIES_SIZE = 4111;

  /** The same in double precision, where sums of more keys round by more than slow tokens owe. */
  private static final int SERIES_SIZE_DOUBLE = 1031;

  private static final int[] SERIES_DIMENSIONS = {2, 3};

  /** Small enough for unnormalised weights in float32 with matrices of norm 3. */
  private static final double[] SERIES_BETAS = {0, 1, 9, 25};

  /** Tokens of the replicas that whole steps are measured with. */
  private static final int STEPS_SIZE = 50;

  static final int[] EDGES = {
    1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257
  };
  static final TestCloud TIGHT = new TestCloud(1e-3);

  /** Rows that the judge recomputes where all of them would take long. */
  private static final int SAMPLE = 48;

  /** Units of rounding that a native function may be off: OpenCL grants float32 exp2 and sqrt 6. */
  private static final double NATIVE_UNITS = 8;

  private final Engine engine;
  private final Engine definition;
  private final Judge judge;
  private final Precision precision;
  private final Consumer<Measurement> listener;
  private final List<Measurement> done = new ArrayList<>();

  /**
   * @param engine engine under test
   * @param definition float64 engine that computes by definition
   * @param judge the definition for chosen rows, with its float32 yardstick
   * @param listener told each measurement as it is made
   */
  public Verifier(Engine engine, Engine definition, Judge judge, Consumer<Measurement> listener) {
    this.engine = engine;
    this.definition = definition;
    this.judge = judge;
    this.precision = engine.precision();
    this.listener = listener;
  }

  /** How much of the programme to run. */
  public enum Extent {
    /** Minutes at most on two CPU cores. */
    STANDARD,
    /** With extreme inverse temperatures, d = 1024, tighter clusters and larger sizes. */
    FULL
  }

  /** Everything. */
  public List<Measurement> all(Extent extent) {
    done.clear();
    boolean full = extent == Extent.FULL;
    nativeFunctions();
    int[] dimensions = full ? new int[] {2, 3, 8, 9, 64, 512, 1024} : DIMENSIONS;
    double[] betas = full ? new double[] {0, 1, 9, 81, 128, 1000} : BETAS;
    for (int d : dimensions) {
      grid(d, betas, full);
      record(new VectorChecks(engine, definition).measure(d, SIZE));
      record(new NoiseChecks(engine, definition).measure(d, SIZE));
      record(observables(d, ObservableChecks.ALL));
      wholeSteps(d);
    }
    for (int d : new int[] {3, 64}) {
      masks(d);
      edges(d);
      merged(d);
      keyed(d);
    }
    ladder(full ? new int[] {1000, 4099, 16411, 65537} : new int[] {1000, 4099});
    return List.copyOf(done);
  }

  /** Velocity and attention output over geometries, inverse temperatures, positions, weights. */
  private void grid(int d, double[] betas, boolean full) {
    List<TestCloud> clouds = new ArrayList<>(List.of(TestCloud.RANDOM, new TestCloud(1e-1), TIGHT));
    if (full) {
      clouds.add(new TestCloud(1e-2));
      clouds.add(new TestCloud(1e-4));
      clouds.add(new TestCloud(1e-5));
    }
    for (Geometry g : Geometry.values()) {
      for (double beta : betas) {
        for (TestCloud cloud : clouds) {
          velocity(new Situation(scalar(g, d), beta, SIZE, cloud), SIZE);
        }
        Variant dense = variant(g, Mask.FULL, Normalisation.SOFTMAX, Variant.Form.DENSE, 1, d);
        velocity(new Situation(dense, beta, SIZE, TestCloud.RANDOM), SAMPLE);
      }
    }
    for (double beta : betas) {
      record(
          List.of(checks().attend(new Situation(scalar(Geometry.SPHERE, d), beta, SIZE, TIGHT))));
    }
  }

  /** Every mask with every normalisation, and the weight forms that the grid does not have. */
  private void masks(int d) {
    List<Mask> masks =
        List.of(
            Mask.FULL,
            Mask.CAUSAL,
            Mask.window(5),
            Mask.prefix(40),
            Mask.alibi(0.1),
            Mask.CAUSAL.and(Mask.window(33)),
            Mask.prefix(70).and(Mask.window(50)));
    for (Mask mask : masks) {
      for (Normalisation normalisation : Normalisation.values()) {
        for (Variant.Form form : List.of(Variant.Form.SCALAR, Variant.Form.DENSE)) {
          Variant v = variant(Geometry.SPHERE, mask, normalisation, form, 1, d);
          velocity(new Situation(v, 9, SIZE, TestCloud.RANDOM), SIZE);
        }
      }
    }
    for (Geometry g : Geometry.values()) {
      for (Variant.Form form : Variant.Form.values()) {
        Variant v = variant(g, Mask.CAUSAL, Normalisation.SOFTMAX, form, 2, d);
        velocity(new Situation(v, 4, SIZE, TestCloud.RANDOM), SIZE);
      }
    }
  }

  /** Tokens that stand together as keys, in runs that merge. */
  private void merged(int d) {
    for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL, Mask.prefix(40).and(Mask.window(33)))) {
      for (Variant.Form form : List.of(Variant.Form.SCALAR, Variant.Form.DENSE)) {
        Variant v = variant(Geometry.SPHERE, mask, Normalisation.SOFTMAX, form, 1, d);
        velocity(new Situation(v.withMerged(), 9, SIZE, TestCloud.RANDOM), SIZE);
      }
    }
  }

  /** Keys that have weights, a sink, first keys that all see. */
  private void keyed(int d) {
    Mask streaming = Mask.window(33).and(Mask.first(4));
    for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL, Mask.alibi(0.1), streaming)) {
      for (Normalisation rule : List.of(Normalisation.SOFTMAX, Normalisation.UNNORMALISED)) {
        for (Variant.Form form : List.of(Variant.Form.SCALAR, Variant.Form.DENSE)) {
          Variant v = variant(Geometry.SPHERE, mask, rule, form, 1, d);
          velocity(new Situation(v.withKeys(), 9, SIZE, TestCloud.RANDOM), SIZE);
        }
      }
    }
    Variant heads =
        variant(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, Variant.Form.DENSE, 2, d);
    velocity(new Situation(heads.withKeys(), 9, SIZE, TestCloud.RANDOM), SIZE);
    Variant gaps =
        variant(Geometry.SPHERE, streaming, Normalisation.SOFTMAX, Variant.Form.SCALAR, 1, d);
    velocity(new Situation(gaps, 9, SIZE, TestCloud.RANDOM), SIZE);
  }

  /** Sizes on both sides of every plausible tile. */
  private void edges(int d) {
    for (int n : EDGES) {
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        Variant v =
            variant(Geometry.SPHERE, mask, Normalisation.SOFTMAX, Variant.Form.SCALAR, 1, d);
        velocity(new Situation(v, 4, n, TestCloud.RANDOM), n);
      }
    }
  }

  /** Growing sizes, a sample of rows each: index arithmetic and slicing. */
  private void ladder(int[] sizes) {
    for (int n : sizes) {
      for (int d : new int[] {3, 64}) {
        for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
          Variant v =
              variant(Geometry.SPHERE, mask, Normalisation.SOFTMAX, Variant.Form.SCALAR, 1, d);
          velocity(new Situation(v, 4, n, TestCloud.RANDOM), SAMPLE);
        }
      }
    }
  }

  /** A layer that every engine with series can expand. */
  public static Layer expandedLayer() {
    return new Variant(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            Variant.Form.SCALAR,
            1,
            2,
            Precision.SINGLE,
            null)
        .layer(1, 1);
  }

  /**
   * Sums by a series, on an engine that was opened for them: every mask that has one, every form of
   * weights, random and clustered positions, positions off the sphere.
   */
  public List<Measurement> expansions() {
    done.clear();
    for (int d : SERIES_DIMENSIONS) {
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL, Mask.prefix(500))) {
        expansions(mask, d);
      }
    }
    return List.copyOf(done);
  }

  private void expansions(Mask mask, int d) {
    for (Variant.Form form : Variant.Form.values()) {
      for (Normalisation normalisation :
          List.of(Normalisation.SOFTMAX, Normalisation.UNNORMALISED)) {
        series(variant(Geometry.SPHERE, mask, normalisation, form, 1, d).expanded());
      }
    }
    series(
        variant(Geometry.SPHERE, mask, Normalisation.SOFTMAX, Variant.Form.DENSE, 2, d).expanded());
  }

  /** The situations that a series may find hard: keys far from a query, keys close together. */
  private void series(Variant v) {
    int n = precision == Precision.DOUBLE ? SERIES_SIZE_DOUBLE : SERIES_SIZE;
    for (double beta : SERIES_BETAS) {
      velocity(new Situation(v, beta, n, TestCloud.RANDOM), SAMPLE);
    }
    for (TestCloud cloud : List.of(TIGHT, new TestCloud(1e-6), TestCloud.STAGE)) {
      velocity(new Situation(v, 9, n, cloud), SAMPLE);
    }
    velocity(new Situation(v, 25, n, TestCloud.APART), 1);
    record(List.of(checks().attend(new Situation(v, 4, n, TestCloud.RANDOM))));
  }

  private List<Measurement> observables(int d, Set<String> wanted) {
    List<Layer> layers = new ArrayList<>();
    for (double beta : BETAS) {
      layers.add(scalar(Geometry.SPHERE, d).layer(beta, d));
    }
    return new ObservableChecks(engine, definition).measure(SIZE, layers, wanted);
  }

  /** What the device's own exp and sqrt are worth, where the engine uses them. */
  private void nativeFunctions() {
    if (!(engine instanceof NativeFunctions device)) {
      return;
    }
    double allowed = NATIVE_UNITS * (precision == Precision.DOUBLE ? 0x1p-53 : 0x1p-24);
    device
        .worstRelativeErrors()
        .forEach(
            (name, error) -> {
              boolean passed = error <= allowed;
              Measurement m =
                  new Measurement(
                      "native " + name,
                      "native functions",
                      1,
                      Double.NaN,
                      1,
                      "ladder of arguments",
                      error,
                      error,
                      allowed,
                      passed,
                      passed ? "" : "too inaccurate to be used");
              record(List.of(m));
            });
  }

  /** Only what a run needs; fast enough to precede a first run. */
  public List<Measurement> needed(Need need) {
    done.clear();
    for (Variant v : need.variants()) {
      if (v.expansion()) {
        series(v);
        continue;
      }
      for (double beta : BETAS) {
        checked(new Situation(v, beta, SIZE, TestCloud.RANDOM));
      }
      checked(new Situation(v, 4, SIZE, TIGHT));
      record(List.of(checks().attend(new Situation(v, 4, SIZE, TestCloud.RANDOM))));
      if (need.steps() != null) {
        steps(v, need.steps().scheme(), need.steps().shape().n());
      }
    }
    for (int d : need.dimensions()) {
      record(new VectorChecks(engine, definition).measure(d, SIZE));
      if (need.noise()) {
        record(new NoiseChecks(engine, definition).measure(d, SIZE));
      }
      record(observables(d, need.observables()));
    }
    return List.copyOf(done);
  }

  private void checked(Situation s) {
    if (s.variant().half()) {
      record(new HalfChecks(engine, judge).measure(s));
    } else {
      velocity(s, s.n());
    }
  }

  /** Whole steps of a variant; the engine makes them. */
  private void steps(Variant v, RungeKutta scheme, int n) {
    WholeSteps whole = engine.wholeSteps().orElseThrow();
    for (double beta : BETAS) {
      Situation s = new Situation(v, beta, n, TestCloud.RANDOM);
      // The engine may leave strong scores to other kernels.
      if (whole.accepts(scheme, new Shape(n, n, v.d()), List.of(s.layer()))) {
        record(List.of(checks().slope(s, whole, scheme)));
      }
    }
    Situation tight = new Situation(v, 4, n, TIGHT);
    record(List.of(checks().slope(tight, whole, scheme)));
    record(List.of(new StepChecks(engine, whole, definition).measure(tight, scheme)));
    Situation random = new Situation(v, 4, n, TestCloud.RANDOM);
    record(List.of(new StepChecks(engine, whole, definition).measure(random, scheme)));
  }

  /** Whole steps by every scheme in few dimensions, where an engine makes them. */
  private void wholeSteps(int d) {
    for (Method method : List.of(Method.EULER, Method.HEUN, Method.RK4, Method.DOPRI5)) {
      Variant plain = scalar(Geometry.SPHERE, d);
      Variant general =
          variant(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, Variant.Form.DENSE, 2, d);
      for (Variant v : List.of(plain, general)) {
        Need.Steps asked = new Need.Steps(method, new Shape(100, STEPS_SIZE, d));
        if (new Need(Set.of(v), Set.of(), asked, false).on(engine).steps() != null) {
          steps(v, asked.scheme(), STEPS_SIZE);
        }
      }
    }
  }

  private Variant scalar(Geometry g, int d) {
    return variant(g, Mask.FULL, Normalisation.SOFTMAX, Variant.Form.SCALAR, 1, d);
  }

  private Variant variant(
      Geometry g, Mask mask, Normalisation normalisation, Variant.Form form, int heads, int d) {
    return new Variant(g, mask, normalisation, form, heads, d, precision, null);
  }

  private VelocityChecks checks() {
    return new VelocityChecks(engine, judge);
  }

  private void velocity(Situation s, int rows) {
    record(List.of(checks().velocity(s, rows)));
  }

  private void record(List<Measurement> measured) {
    for (Measurement m : measured) {
      done.add(m);
      listener.accept(m);
    }
  }
}
