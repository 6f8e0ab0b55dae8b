package org.starling.opencl;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.starling.core.engine.DeviceProbes;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.NativeFunctions;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Requests;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Storage;
import org.starling.core.engine.SummationReport;
import org.starling.core.engine.TileChoices;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Interaction;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.kernels.StateKernels;
import org.starling.opencl.attention.LayerOperations;
import org.starling.opencl.attention.TileChoice;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * An OpenCL device as an engine. After a device failure every further call is refused; close it and
 * open another.
 */
final class OpenClEngine implements Engine, NativeFunctions, DeviceProbes, TileChoices {
  static final String NAME = "opencl";

  /** Numbers that one host array can hold, and so a state. */
  static final long LARGEST_ARRAY = Integer.MAX_VALUE - 16;

  private final DeviceSession session;
  private final Precision precision;
  private final Storage storage;
  private final LayerOperations layers;
  private final StateOperations states;
  private final TokenRules rules;
  private final ClObservations observations;
  private final EngineIdentity identity;
  private final Attempts attempts;
  private final Transfers transfers;
  private boolean closed;

  /** Takes over the session and the layer operations; both are closed with the engine. */
  OpenClEngine(
      DeviceSession session, Precision precision, Storage storage, LayerOperations layers) {
    this.session = session;
    this.precision = precision;
    this.storage = storage;
    this.layers = layers;
    this.attempts = new Attempts(session);
    this.transfers = new Transfers(precision);
    this.states = new StateOperations(session, precision);
    this.rules =
        new TokenRules(
            layers,
            states,
            s -> own(allocateState(s)),
            s -> own(allocateField(s)),
            new FeedForwardPass(session, precision, states, s -> own(allocateField(s))));
    this.observations = new ClObservations(this, layers, new StateObservations(states), rules);
    this.identity = KernelIdentity.of(session.device(), precision, layers.settings());
  }

  @Override
  public Precision precision() {
    return precision;
  }

  @Override
  public EngineIdentity identity() {
    return identity;
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public void check(Shape shape, List<Layer> list) {
    Requests.layers(shape, list);
    for (Layer layer : list) {
      Interaction own = layer.interaction();
      if (own != null) {
        throw refused(
            "the interaction "
                + own.name()
                + " is Java code, which an OpenCL device cannot run; use --device java");
      }
      if (layer.rule() != null && storage != Storage.FULL) {
        throw refused(
            "keys and values in float16 are not made for normalisation schemes and feed-forward"
                + " terms; leave execution.storage out");
      }
    }
    if (shape.size() > LARGEST_ARRAY) {
      throw refused(
          "a state of "
              + shape.size()
              + " numbers is more than one array can hold, "
              + LARGEST_ARRAY
              + "; use fewer tokens or replicas");
    }
    layers.check(shape, list);
  }

  @Override
  public MemoryPlan plan(Shape shape, List<Layer> list, int stateCount, int fieldCount) {
    return new MemoryPlanner(session.device(), precision, layers)
        .plan(shape, list, stateCount, fieldCount, true);
  }

  @Override
  public MemoryPlan planWithoutPairs(
      Shape shape, List<Layer> list, int stateCount, int fieldCount) {
    return new MemoryPlanner(session.device(), precision, layers)
        .plan(shape, list, stateCount, fieldCount, false);
  }

  @Override
  public State allocateState(Shape shape) {
    return attempts.allocating(
        "a state",
        shape,
        () -> {
          long size = shape.size();
          DeviceBuffer values = session.allocate("positions", size * Parts.realBytes(precision));
          if (precision != Precision.MIXED) {
            return new ClState(this, shape, values, null);
          }
          try {
            return new ClState(this, shape, values, session.allocate("corrections", size * 4));
          } catch (ClException e) {
            values.close();
            throw e;
          }
        });
  }

  @Override
  public Field allocateField(Shape shape) {
    return attempts.allocating(
        "a field",
        shape,
        () ->
            new ClField(
                this, shape, session.allocate("field", shape.size() * Parts.realBytes(precision))));
  }

  @Override
  public void upload(State x, double[] positions) {
    ClState own = own(x);
    Requests.numbers(own.shape(), positions.length);
    run("uploading positions", () -> transfers.upload(positions, own.values(), own.corrections()));
  }

  @Override
  public double[] download(State x) {
    ClState own = own(x);
    return get(
        "downloading positions",
        () -> transfers.download(own.shape(), own.values(), own.corrections()));
  }

  @Override
  public double[] download(Field v) {
    ClField own = own(v);
    return get("downloading a field", () -> transfers.download(own.shape(), own.values(), null));
  }

  @Override
  public void upload(Field v, double[] values) {
    ClField own = own(v);
    Requests.numbers(own.shape(), values.length);
    run("uploading a field", () -> transfers.upload(values, own.values(), null));
  }

  @Override
  public byte[] snapshot(State x) {
    ClState own = own(x);
    return get("reading a checkpoint", () -> transfers.snapshot(own));
  }

  @Override
  public void restore(State x, byte[] snapshot) {
    ClState own = own(x);
    run("restoring a checkpoint", () -> transfers.restore(snapshot, own));
  }

  @Override
  public void attend(State x, Layer[] list, boolean[] active, Field u) {
    ClState from = own(x);
    ClField to = own(u);
    requireLayers(from.shape(), to.shape(), list, active);
    run("computing attention", () -> evaluate(from, list, active, to, true));
  }

  @Override
  public void velocity(State x, Layer[] list, boolean[] active, Field v) {
    ClState from = own(x);
    ClField to = own(v);
    requireLayers(from.shape(), to.shape(), list, active);
    run("computing the velocity", () -> evaluate(from, list, active, to, false));
  }

  private void evaluate(ClState x, Layer[] list, boolean[] active, ClField out, boolean raw) {
    if (Arrays.stream(list).anyMatch(l -> l.rule() != null)) {
      rules.evaluate(x, list, active, out, raw);
    } else if (raw) {
      layers.attend(x, list, active, out);
    } else {
      layers.velocity(x, list, active, out);
    }
  }

  @Override
  public boolean expands(Shape shape, Layer layer) {
    return layers.expands(shape, layer);
  }

  @Override
  public SummationReport summation() {
    return layers.summation();
  }

  @Override
  public FieldReport takeReport() {
    return get("computing the velocity", layers::takeReport);
  }

  @Override
  public void dropReport() {
    run("computing the velocity", layers::dropReport);
  }

  @Override
  public void combine(State out, State x, double[][] coefficients, Field[] k, boolean[] active) {
    ClState to = own(out);
    ClState from = own(x);
    Requests.sameShape(from.shape(), to.shape());
    ClField[] fields = fields(from.shape(), coefficients, k);
    Requests.active(from.shape(), active);
    run("combining states", () -> states.combine(to, from, coefficients, fields, active));
  }

  @Override
  public void combineBoth(
      State out, State x, double[] c, State also, State y, double[] e, Field k, boolean[] active) {
    ClState to = own(out);
    ClState from = own(x);
    ClState second = own(also);
    ClState other = own(y);
    Shape shape = from.shape();
    Requests.sameShape(shape, to.shape());
    Requests.sameShape(shape, second.shape());
    Requests.sameShape(shape, other.shape());
    double[][] coefficients = {c, e};
    ClField field = fields(shape, coefficients, new Field[] {k, k})[0];
    Requests.active(shape, active);
    run(
        "combining states",
        () -> states.combineBoth(to, from, second, other, coefficients, field, active));
  }

  @Override
  public void addNoise(
      State out,
      State x,
      Philox[] streams,
      long[] step,
      double[] scale,
      boolean tangent,
      boolean[] active) {
    ClState to = own(out);
    ClState from = own(x);
    Shape shape = from.shape();
    Requests.sameShape(shape, to.shape());
    Requests.noise(shape, streams.length, step.length, scale.length);
    Requests.active(shape, active);
    run("adding noise", () -> states.addNoise(to, from, streams, step, scale, tangent, active));
  }

  @Override
  public void retract(State out, State x, boolean[] active) {
    ClState to = own(out);
    ClState from = own(x);
    Requests.sameShape(from.shape(), to.shape());
    Requests.active(from.shape(), active);
    run("retracting to the sphere", () -> states.retract(to, from, active));
  }

  @Override
  public double[] errorNorm(
      State x,
      State y,
      double[][] coefficients,
      Field[] k,
      double atol,
      double rtol,
      boolean[] active) {
    ClState from = own(x);
    ClState to = own(y);
    Requests.sameShape(from.shape(), to.shape());
    ClField[] fields = fields(from.shape(), coefficients, k);
    Requests.active(from.shape(), active);
    return get(
        "estimating the error",
        () -> states.errorNorm(from, to, coefficients, fields, atol, rtol, active));
  }

  @Override
  public Extreme[] largest(Field v, boolean[] active) {
    ClField own = own(v);
    Requests.active(own.shape(), active);
    return get("finding the largest speed", () -> states.largest(own, active));
  }

  @Override
  public double[] keyShift(State x, MergedKeys[] keys) {
    ClState own = own(x);
    Requests.merged(own.shape(), keys);
    return get("measuring merged keys", () -> states.keyShift().largest(own, keys));
  }

  @Override
  public Observations observations() {
    return observations;
  }

  @Override
  public Optional<WholeSteps> wholeSteps() {
    return Optional.of(new ClWholeSteps(this, layers));
  }

  @Override
  public Map<String, Double> worstRelativeErrors() {
    return get(
        "measuring the device's functions",
        () -> new FunctionProbe(session, precision == Precision.DOUBLE).worstRelativeErrors());
  }

  @Override
  public int[] randomWords(Philox stream, long step, int token, int pairs) {
    return get(
        "drawing random words",
        () -> new FunctionProbe(session, false).randomWords(stream, step, token, pairs));
  }

  @Override
  public List<String> tileCandidates(int d) {
    return TileChoice.candidates(session.device(), precision == Precision.DOUBLE, d);
  }

  @Override
  public boolean shippedTilesMeasured() {
    return session.device().cpu();
  }

  @Override
  public List<Probe> probes(Limit limit) {
    return get(
        "preparing a probe of the device",
        () -> new LimitProbes(session, precision == Precision.DOUBLE).probes(limit));
  }

  @Override
  public void finish() {
    run("waiting for the device", session::finish);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (session;
        layers;
        states;
        rules) {
      attempts.end("the engine is closed");
    } catch (ClException e) {
      throw new EngineException(
          EngineException.Kind.DEVICE_FAILURE,
          "the device " + session.device().name() + " could not be given back: " + e.getMessage(),
          e);
    }
  }

  /** The state as this engine's own. */
  ClState own(State x) {
    if (x instanceof ClState s && s.owner() == this) {
      return s;
    }
    throw Requests.foreign();
  }

  /** The field as this engine's own. */
  ClField own(Field v) {
    if (v instanceof ClField f && f.owner() == this) {
      return f;
    }
    throw Requests.foreign();
  }

  /** Does work on the device, turning a failure into one that names the attempt. */
  <T> T get(String attempt, Supplier<T> work) {
    return attempts.get(attempt, work);
  }

  void run(String attempt, Runnable work) {
    attempts.run(attempt, work);
  }

  private ClField[] fields(Shape shape, double[][] coefficients, Field[] k) {
    if (k.length > StateKernels.MOST_TERMS) {
      throw refused(
          "a combination takes at most " + StateKernels.MOST_TERMS + " fields, got " + k.length);
    }
    Requests.coefficients(shape, coefficients, k);
    ClField[] fields = new ClField[k.length];
    for (int m = 0; m < k.length; m++) {
      fields[m] = own(k[m]);
    }
    return fields;
  }

  private static void requireLayers(Shape shape, Shape field, Layer[] list, boolean[] active) {
    Requests.sameShape(shape, field);
    Requests.layers(shape, List.of(list));
    Requests.active(shape, active);
  }

  static EngineException refused(String message) {
    return new EngineException(EngineException.Kind.REQUEST, message);
  }
}
