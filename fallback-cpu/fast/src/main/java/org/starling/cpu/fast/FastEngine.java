package org.starling.cpu.fast;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Requests;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;

/** Blocked, multi-threaded plain Java; see the package description. */
public final class FastEngine implements Engine {
  /** Numbers in a state at most: one Java array. */
  static final long MAX_NUMBERS = Integer.MAX_VALUE - 64L;

  private final Precision precision;
  private final Strips strips;
  private final StateOperations operations;
  private final FastObservations observations = new FastObservations(this);
  private FieldReport report = FieldReport.CLEAN;

  FastEngine(Precision precision) {
    this(precision, Lanes.choice().strips());
  }

  FastEngine(Precision precision, Strips strips) {
    this.precision = precision;
    this.strips = strips;
    this.operations = new StateOperations();
  }

  @Override
  public Precision precision() {
    return precision;
  }

  @Override
  public EngineIdentity identity() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("panel", Integer.toString(Strip.PANEL));
    settings.put("span", Integer.toString(Strip.SPAN));
    settings.put("differences up to d", Integer.toString(Evaluation.DIFFERENCES_TO_D));
    return new EngineIdentity(
        "java",
        "Java on " + System.getProperty("os.arch") + ", " + strips.description(),
        Runtime.version().toString(),
        System.getProperty("java.vm.name"),
        CodeHash.of(precision + " " + settings),
        settings);
  }

  @Override
  public void check(Shape shape, List<Layer> layers) {
    if (shape.size() > MAX_NUMBERS) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "a state of "
              + shape.replicas()
              + " x "
              + shape.n()
              + " x "
              + shape.d()
              + " numbers does not fit one Java array (at most "
              + MAX_NUMBERS
              + "); the largest n here is "
              + MAX_NUMBERS / shape.replicas() / shape.d()
              + ", or use an OpenCL device");
    }
    Requests.layers(shape, layers);
  }

  @Override
  public MemoryPlan plan(Shape shape, List<Layer> layers, int states, int fields) {
    long stateNumber = precision == Precision.SINGLE ? Float.BYTES : Double.BYTES;
    long fieldNumber = precision == Precision.DOUBLE ? Double.BYTES : Float.BYTES;
    long perReplica = (long) shape.n() * shape.d();
    int heads = layers.stream().mapToInt(l -> l.heads().size()).max().orElse(1);
    List<MemoryPlan.Item> items = new ArrayList<>();
    items.add(new MemoryPlan.Item("states", states, shape.size() * stateNumber));
    items.add(new MemoryPlan.Item("fields", fields, shape.size() * fieldNumber));
    items.add(new MemoryPlan.Item("positions in float64", 1, perReplica * Double.BYTES));
    if (precision != Precision.DOUBLE) {
      items.add(new MemoryPlan.Item("positions in float32", 1, perReplica * Float.BYTES));
    }
    items.add(new MemoryPlan.Item("queries", heads, perReplica * fieldNumber));
    items.add(new MemoryPlan.Item("queries being formed", 1, perReplica * Double.BYTES));
    long width = strips.width(shape.n(), precision != Precision.DOUBLE);
    long perStrip = width * (3L * shape.d() + Strip.PANEL) * fieldNumber;
    long perRows = width * shape.d() * Double.BYTES;
    int threads = Rows.threads();
    items.add(new MemoryPlan.Item("strips", threads * heads, perStrip + perRows));
    long limit = Runtime.getRuntime().maxMemory() / 10 * 9;
    long total = items.stream().mapToLong(MemoryPlan.Item::total).sum();
    long perToken = Math.max(1, total / shape.n());
    long largest = Math.min(limit / perToken, MAX_NUMBERS / ((long) shape.replicas() * shape.d()));
    return new MemoryPlan(
        items,
        shape.size() * fieldNumber,
        limit,
        MAX_NUMBERS * (long) Double.BYTES,
        (int) Math.min(largest, Integer.MAX_VALUE));
  }

  @Override
  public State allocateState(Shape shape) {
    return new FastState(this, shape, precision == Precision.SINGLE);
  }

  @Override
  public Field allocateField(Shape shape) {
    return new FastState(this, shape, precision != Precision.DOUBLE);
  }

  /** The engine's own view of a state or field. */
  FastState own(AutoCloseable handle) {
    if (!(handle instanceof FastState s) || s.owner != this) {
      throw Requests.foreign();
    }
    if (s.closed()) {
      throw new IllegalStateException("a closed state or field was given to java");
    }
    return s;
  }

  private FastState[] own(Field[] k, double[][] coefficients, State x) {
    Requests.coefficients(x.shape(), coefficients, k);
    FastState[] fields = new FastState[k.length];
    for (int m = 0; m < k.length; m++) {
      fields[m] = own(k[m]);
    }
    return fields;
  }

  @Override
  public void upload(State x, double[] positions) {
    set(own(x), positions);
  }

  @Override
  public void upload(Field v, double[] values) {
    set(own(v), values);
  }

  private static void set(FastState s, double[] values) {
    Requests.numbers(s.shape, values.length);
    for (int k = 0; k < values.length; k++) {
      s.set(k, values[k]);
    }
  }

  @Override
  public double[] download(State x) {
    return get(own(x));
  }

  @Override
  public double[] download(Field v) {
    return get(own(v));
  }

  private static double[] get(FastState s) {
    double[] a = new double[s.length()];
    for (int k = 0; k < a.length; k++) {
      a[k] = s.get(k);
    }
    return a;
  }

  @Override
  public byte[] snapshot(State x) {
    FastState s = own(x);
    int bytes = s.single != null ? Float.BYTES : Double.BYTES;
    ByteBuffer b =
        ByteBuffer.allocate(Math.multiplyExact(s.length(), bytes)).order(ByteOrder.LITTLE_ENDIAN);
    if (s.single != null) {
      b.asFloatBuffer().put(s.single);
    } else {
      b.asDoubleBuffer().put(s.full);
    }
    return b.array();
  }

  @Override
  public void restore(State x, byte[] snapshot) {
    FastState s = own(x);
    long expected = (long) s.length() * (s.single != null ? Float.BYTES : Double.BYTES);
    Requests.snapshot(expected, snapshot.length);
    ByteBuffer b = ByteBuffer.wrap(snapshot).order(ByteOrder.LITTLE_ENDIAN);
    if (s.single != null) {
      b.asFloatBuffer().get(s.single);
    } else {
      b.asDoubleBuffer().get(s.full);
    }
  }

  @Override
  public void attend(State x, Layer[] layers, boolean[] active, Field u) {
    evaluate(x, layers, active, u, true);
  }

  @Override
  public void velocity(State x, Layer[] layers, boolean[] active, Field v) {
    evaluate(x, layers, active, v, false);
  }

  @Override
  public FieldReport takeReport() {
    FieldReport taken = report;
    report = FieldReport.CLEAN;
    return taken;
  }

  @Override
  public void dropReport() {
    report = FieldReport.CLEAN;
  }

  private void evaluate(State x, Layer[] layers, boolean[] active, Field out, boolean raw) {
    FastState s = own(x);
    FastState f = own(out);
    Requests.sameShape(s.shape, f.shape);
    Requests.layers(s.shape, List.of(layers));
    Requests.active(s.shape, active);
    TokenRules rules = TokenRules.of(this, layers, active, s);
    FieldReport[] found = new FieldReport[s.shape.replicas()];
    Replicas.forEach(
        found.length,
        s.shape.n(),
        r -> {
          if (active[r]) {
            FastState from = rules.positions(r);
            found[r] = new Evaluation(precision, strips, layers[r], from, r).run(raw, f, r);
            if (rules.dividesByOutput(r) && !raw) {
              new Evaluation(precision, strips, layers[r], from, r).run(true, rules.output(), r);
            }
            rules.apply(r, raw, f);
          }
        });
    for (FieldReport one : found) {
      report = one == null ? report : report.and(one);
    }
  }

  @Override
  public void combine(State out, State x, double[][] coefficients, Field[] k, boolean[] active) {
    Requests.sameShape(own(x).shape, own(out).shape);
    operations.combine(own(out), own(x), coefficients, own(k, coefficients, x), active);
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
    Requests.sameShape(own(x).shape, own(out).shape);
    Requests.noise(own(x).shape, streams.length, step.length, scale.length);
    Requests.active(own(x).shape, active);
    operations.addNoise(own(out), own(x), streams, step, scale, tangent, active);
  }

  @Override
  public void retract(State out, State x, boolean[] active) {
    Requests.sameShape(own(x).shape, own(out).shape);
    operations.retract(own(out), own(x), active);
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
    Requests.sameShape(own(x).shape, own(y).shape);
    return operations.errorNorm(
        own(x), own(y), coefficients, own(k, coefficients, x), atol, rtol, active);
  }

  @Override
  public Extreme[] largest(Field v, boolean[] active) {
    return operations.largest(own(v), active);
  }

  @Override
  public Observations observations() {
    return observations;
  }

  @Override
  public void finish() {
    // Every call has finished when it returns.
  }

  @Override
  public void close() {
    // Arrays belong to the collector.
  }
}
