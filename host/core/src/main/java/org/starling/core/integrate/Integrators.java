package org.starling.core.integrate;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.starling.core.engine.Engine;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.core.model.Scheme;
import org.starling.core.model.TokenRule;

/** Makes integrators, and says beforehand what they will need. */
public final class Integrators {
  private Integrators() {}

  /** What an engine is asked for that makes whole steps of a method. */
  public static RungeKutta scheme(Method method) {
    return Tableau.of(method);
  }

  /**
   * States that an integrator of this kind holds, the accepted one included; for the memory plan.
   */
  public static int states(IntegratorSpec spec) {
    return spec.method().states();
  }

  /** Fields that an integrator of this kind holds; for the memory plan. */
  public static int fields(IntegratorSpec spec) {
    return spec.method().fields();
  }

  /**
   * Whether every one of these times is known beforehand to be the end of a step (or 0), bit for
   * bit: a run that looks at no other times looks at accepted states only. False for adaptive
   * methods, and for the rescaled geometry, whose horizon depends on the precision.
   */
  public static boolean stepsEndAt(double[] times, IntegratorSpec spec, Dynamics dynamics) {
    if (spec.method().adaptive() || dynamics.geometry() == Geometry.RESCALED) {
      return false;
    }
    for (double t : times) {
      if (t != 0 && !EqualStepper.endsAt(t, spec.dt(), dynamics)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refuses what the method cannot do with this dynamics.
   *
   * @throws IllegalArgumentException with the reason and what to use instead
   */
  public static void check(IntegratorSpec spec, Dynamics dynamics) {
    checkMerging(spec, dynamics);
    checkNoise(spec, dynamics);
    checkArclength(spec, dynamics);
    if (spec.method() == Method.LAYERS && dynamics.scheme().kind() == Scheme.Kind.MIX) {
      throw new IllegalArgumentException(
          "method layers has no form of the scheme mix, whose tokens keep their radii at first");
    }
    if (dynamics.geometry() != Geometry.RESCALED) {
      return;
    }
    if (spec.method() == Method.LAYERS) {
      throw new IllegalArgumentException(
          "method layers has no meaning in the rescaled geometry: z = e^{-tV} x rescales the"
              + " continuous flow, and the discrete layer has its own rescaling (I + dt V)^{-k};"
              + " use geometry euclidean with layers, or another method with rescaled");
    }
    if (!dynamics.weights().constant()) {
      throw new IllegalArgumentException(
          "the rescaled geometry needs the same weights at all times: z = e^{-tV} x has one V; use"
              + " geometry euclidean for per-layer weights");
    }
  }

  private static void checkArclength(IntegratorSpec spec, Dynamics dynamics) {
    String reason =
        spec.method() == Method.ARCLENGTH ? ArclengthStepper.refusal(spec, dynamics) : null;
    if (reason != null) {
      throw new IllegalArgumentException(reason);
    }
  }

  private static void checkNoise(IntegratorSpec spec, Dynamics dynamics) {
    if (dynamics.noise() == 0) {
      return;
    }
    String reason = whyNoNoise(spec.method(), spec.merging(), dynamics.geometry());
    if (reason != null) {
      throw new IllegalArgumentException("the model has noise, and " + reason);
    }
  }

  /**
   * Why a method that steps on the host cannot make the steps of such a run, with what to do
   * instead; null if it can, and for methods that step on the device.
   */
  public static String whyNotOnHost(IntegratorSpec spec, Shape shape, Precision precision) {
    if (spec.method() == Method.ARCLENGTH && precision != Precision.DOUBLE) {
      return "arclength follows speeds over hundreds of orders of magnitude; use precision double";
    }
    if (!spec.method().implicit()) {
      return null;
    }
    long unknowns = (long) shape.n() * shape.d();
    if (unknowns > RadauStepper.LARGEST) {
      return spec.method().label()
          + " solves dense systems of n d unknowns and takes at most "
          + RadauStepper.LARGEST
          + ", not "
          + shape.n()
          + " x "
          + shape.d()
          + " = "
          + unknowns
          + "; use dopri5, or fewer tokens";
    }
    if (precision != Precision.DOUBLE) {
      return spec.method().label()
          + " resolves motion over exponentially long times, which is lost in precision "
          + precision.name().toLowerCase(Locale.ROOT)
          + "; use precision double";
    }
    return spec.merging() == null
        ? null
        : spec.method().label()
            + " takes long steps however near tokens are, and does not merge them; leave out merge";
  }

  /** Why noise cannot be added to steps, with what to do instead; null if it can. */
  public static String whyNoNoise(Method method, Merging merging, Geometry geometry) {
    if (geometry == Geometry.RESCALED) {
      return "the rescaled geometry has none: in z = e^{-tV} x it would be e^{-tV} dW, of another"
          + " strength in every direction and at every time; use geometry euclidean";
    }
    if (method != Method.EULER_MARUYAMA) {
      return method.label()
          + " is a method for smooth right-hand sides; use method: euler-maruyama with a dt";
    }
    return merging == null
        ? null
        : "tokens that stand together are drawn apart again by it; leave out merge";
  }

  private static void checkMerging(IntegratorSpec spec, Dynamics dynamics) {
    if (spec.merging() == null) {
      return;
    }
    if (dynamics.geometry() == Geometry.RESCALED) {
      throw new IllegalArgumentException(
          "merge has no meaning in the rescaled geometry: scores of e^{tV} z tell tokens apart"
              + " whose z nearly coincide; leave it out");
    }
    String reason =
        Layer.whyNotMerged(
            dynamics.mask(),
            dynamics.normalisation(),
            dynamics.interaction() == null ? null : dynamics.interaction().name());
    reason =
        reason == null && (dynamics.roles() != null || dynamics.sink() != null || dynamics.sloped())
            ? Layer.ROLES_NOT_MERGED
            : reason;
    boolean ruled = dynamics.scheme().kind() != Scheme.Kind.POST || dynamics.feedForward() != null;
    if (reason == null && ruled) {
      reason = TokenRule.NOT_MERGED;
    }
    if (reason != null) {
      throw new IllegalArgumentException(reason + "; leave out merge");
    }
  }

  /**
   * An integrator at time 0 of dynamics without noise.
   *
   * @param dynamics one for all replicas, or one per replica, all of one geometry
   * @param x initial positions (on the unit sphere in that geometry); owned by the integrator from
   *     now on and closed with it
   */
  public static Integrator create(
      IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    return create(spec, engine, dynamics, x, new Philox[0]);
  }

  /**
   * An integrator at time 0.
   *
   * @param dynamics one for all replicas, or one per replica, all of one geometry
   * @param x initial positions (on the unit sphere in that geometry); owned by the integrator from
   *     now on and closed with it
   * @param streams where each replica's noise comes from; not read without noise
   */
  public static Integrator create(
      IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x, Philox[] streams) {
    int replicas = x.shape().replicas();
    if (dynamics.length != 1 && dynamics.length != replicas) {
      throw new IllegalArgumentException(
          dynamics.length + " dynamics given for " + replicas + " replicas: give 1 or one each");
    }
    Dynamics[] each = new Dynamics[replicas];
    for (int r = 0; r < replicas; r++) {
      each[r] = dynamics[dynamics.length == 1 ? 0 : r];
      if (each[r].geometry() != each[0].geometry()) {
        throw new IllegalArgumentException(
            "all replicas need one geometry, but replica " + r + " has " + each[r].geometry());
      }
      check(spec, each[r]);
    }
    if (Arrays.stream(each).anyMatch(one -> one.noise() > 0)) {
      if (streams.length != replicas) {
        throw new IllegalArgumentException(
            "noise needs a stream of random numbers for each of "
                + replicas
                + " replicas, got "
                + streams.length);
      }
      return new FixedStepper(spec, engine, each, x, NoiseSteps.of(engine, each, streams));
    }
    String reason = whyNotOnHost(spec, x.shape(), engine.precision());
    if (reason != null) {
      throw new IllegalArgumentException(reason);
    }
    if (spec.method() == Method.ARCLENGTH) {
      return new ArclengthStepper(spec, engine, each, x);
    }
    if (spec.method().implicit()) {
      return new RadauStepper(spec, engine, each, x);
    }
    if (spec.method() == Method.EULER_MARUYAMA) {
      return create(spec.withMethod(Method.EULER), engine, each, x, streams);
    }
    RungeKutta scheme = Tableau.of(spec.method());
    Optional<WholeSteps> whole = engine.wholeSteps();
    if (spec.merging() == null
        && whole.isPresent()
        && takes(whole.get(), scheme, each, x.shape())) {
      return spec.method().adaptive()
          ? new WholeAdaptiveStepper(spec, engine, whole.get(), scheme, each, x)
          : new WholeFixedStepper(spec, engine, whole.get(), scheme, each, x);
    }
    return spec.method().adaptive()
        ? new DormandPrince(spec, engine, each, x)
        : new FixedStepper(spec, engine, each, x, null);
  }

  /** Whether an engine makes whole steps of all replicas; their weights must not change. */
  private static boolean takes(
      WholeSteps whole, RungeKutta scheme, Dynamics[] dynamics, Shape shape) {
    Map<Dynamics, Boolean> different = new IdentityHashMap<>();
    for (Dynamics one : dynamics) {
      if (!one.autonomous() || !one.weights().constant()) {
        return false;
      }
      different.put(one, true);
    }
    List<Layer> layers = different.keySet().stream().map(one -> one.at(0, 0)).toList();
    return whole.accepts(scheme, shape, layers);
  }
}
