package org.starling.cpu.reference;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineException.Kind;
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

/**
 * The definition: every operation of the contract as plain float64 loops. Rows of one evaluation
 * run in parallel; each is independent of the others, so the bits do not depend on the number of
 * threads.
 */
public final class ReferenceEngine implements Engine {
  private final Observations observations = new ReferenceObservations(this);
  private FieldReport report = FieldReport.CLEAN;

  @Override
  public Precision precision() {
    return Precision.DOUBLE;
  }

  @Override
  public EngineIdentity identity() {
    return ReferenceIdentity.of();
  }

  @Override
  public void check(Shape shape, List<Layer> layers) {
    if (shape.size() > ReferencePlan.LARGEST_ARRAY) {
      throw refused(
          String.format(
              "the reference engine holds a state in one Java array of at most %d numbers; %d x %d"
                  + " x %d is %d: use fewer tokens or replicas, or another engine",
              ReferencePlan.LARGEST_ARRAY, shape.replicas(), shape.n(), shape.d(), shape.size()));
    }
    Requests.layers(shape, layers);
  }

  @Override
  public MemoryPlan plan(Shape shape, List<Layer> layers, int states, int fields) {
    return ReferencePlan.of(shape, layers, states, fields);
  }

  @Override
  public State allocateState(Shape shape) {
    return new ReferenceArray(this, true, shape);
  }

  @Override
  public Field allocateField(Shape shape) {
    return new ReferenceArray(this, false, shape);
  }

  @Override
  public void upload(State x, double[] positions) {
    copyIn(own(x), positions);
  }

  @Override
  public void upload(Field v, double[] values) {
    copyIn(own(v), values);
  }

  private static void copyIn(ReferenceArray a, double[] values) {
    Requests.numbers(a.shape(), values.length);
    System.arraycopy(values, 0, a.values(), 0, values.length);
  }

  @Override
  public double[] download(State x) {
    return own(x).values().clone();
  }

  @Override
  public double[] download(Field v) {
    return own(v).values().clone();
  }

  @Override
  public byte[] snapshot(State x) {
    double[] values = own(x).values();
    long bytes = 8L * values.length;
    if (bytes > ReferencePlan.LARGEST_ARRAY) {
      throw refused(
          "a snapshot of " + bytes + " bytes does not fit one Java array; use fewer tokens");
    }
    ByteBuffer b = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    b.asDoubleBuffer().put(values);
    return b.array();
  }

  @Override
  public void restore(State x, byte[] snapshot) {
    double[] values = own(x).values();
    Requests.snapshot(8L * values.length, snapshot.length);
    ByteBuffer.wrap(snapshot).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
  }

  @Override
  public void attend(State x, Layer[] layers, boolean[] active, Field u) {
    evaluate(x, layers, active, u, false);
  }

  @Override
  public void velocity(State x, Layer[] layers, boolean[] active, Field v) {
    evaluate(x, layers, active, v, true);
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

  private void evaluate(
      State state, Layer[] layers, boolean[] active, Field out, boolean velocity) {
    ReferenceArray x = own(state);
    ReferenceArray v = own(out);
    Shape shape = x.shape();
    Requests.sameShape(shape, v.shape());
    check(shape, Arrays.asList(layers));
    Requests.active(shape, active);
    double smallest = Math.log(FieldReport.SMALLEST_DOUBLE);
    for (int r = 0; r < shape.replicas(); r++) {
      if (!active[r]) {
        continue;
      }
      int n = shape.n();
      int d = shape.d();
      int at = x.at(r);
      double[] values = v.values();
      AttentionField field = new AttentionField(x.values(), at, n, d, layers[r]);
      boolean[] dead = new boolean[n];
      boolean[] below = new boolean[n];
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                AttentionField.Token t = velocity ? field.velocity(i) : field.attention(i);
                t.value().writeTo(values, at + i * d);
                double log = t.value().logNorm();
                dead[i] = t.dead();
                below[i] = log > Double.NEGATIVE_INFINITY && log < smallest;
              });
      long offset = (long) r * n;
      report =
          report.and(
              new FieldReport(
                  count(dead), first(dead, offset), count(below), first(below, offset)));
    }
  }

  private static long count(boolean[] flags) {
    return IntStream.range(0, flags.length).filter(i -> flags[i]).count();
  }

  private static long first(boolean[] flags, long offset) {
    for (int i = 0; i < flags.length; i++) {
      if (flags[i]) {
        return offset + i;
      }
    }
    return -1;
  }

  @Override
  public void combine(State out, State x, double[][] coefficients, Field[] k, boolean[] active) {
    ReferenceArray target = own(out);
    ReferenceArray source = own(x);
    Shape shape = source.shape();
    Requests.sameShape(shape, target.shape());
    double[][] fields = fields(coefficients, k, shape);
    Requests.active(shape, active);
    int size = shape.n() * shape.d();
    for (int r = 0; r < shape.replicas(); r++) {
      if (!active[r]) {
        continue;
      }
      for (int a = source.at(r); a < source.at(r) + size; a++) {
        target.values()[a] = source.values()[a] + sum(coefficients, fields, r, a);
      }
    }
  }

  private static double sum(double[][] coefficients, double[][] fields, int r, int a) {
    double sum = 0;
    for (int m = 0; m < fields.length; m++) {
      sum += coefficients[m][r] * fields[m][a];
    }
    return sum;
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
    ReferenceArray base = own(x);
    ReferenceArray target = own(out);
    Shape shape = base.shape();
    Requests.sameShape(shape, target.shape());
    Requests.noise(shape, streams.length, step.length, scale.length);
    Requests.active(shape, active);
    int d = shape.d();
    double[] xi = new double[d];
    for (int r = 0; r < shape.replicas(); r++) {
      for (int i = 0; active[r] && i < shape.n(); i++) {
        int at = base.at(r) + i * d;
        streams[r].gaussians(step[r], i, xi, 0, d);
        double radial = 0;
        double square = 0;
        for (int c = 0; tangent && c < d; c++) {
          radial += xi[c] * base.values()[at + c];
          square += base.values()[at + c] * base.values()[at + c];
        }
        for (int c = 0; c < d; c++) {
          double y = tangent ? xi[c] - radial / square * base.values()[at + c] : xi[c];
          target.values()[at + c] += scale[r] * y;
        }
      }
    }
  }

  @Override
  public void retract(State out, State x, boolean[] active) {
    ReferenceArray state = own(x);
    Requests.sameShape(state.shape(), own(out).shape());
    double[] to = own(out).values();
    Shape shape = state.shape();
    Requests.active(shape, active);
    double[] values = state.values();
    int d = shape.d();
    for (int r = 0; r < shape.replicas(); r++) {
      for (int i = 0; active[r] && i < shape.n(); i++) {
        int at = state.at(r) + i * d;
        double norm = Algebra.norm(values, at, d);
        boolean usable = norm > 0 && Double.isFinite(norm);
        for (int a = at; a < at + d; a++) {
          to[a] = usable ? values[a] / norm : Double.NaN;
        }
      }
    }
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
    ReferenceArray from = own(x);
    ReferenceArray to = own(y);
    Shape shape = from.shape();
    Requests.sameShape(shape, to.shape());
    double[][] fields = fields(coefficients, k, shape);
    Requests.active(shape, active);
    int d = shape.d();
    double[] error = new double[d];
    double[] largest = new double[shape.replicas()];
    for (int r = 0; r < shape.replicas(); r++) {
      for (int i = 0; active[r] && i < shape.n(); i++) {
        int at = from.at(r) + i * d;
        for (int a = 0; a < d; a++) {
          error[a] = sum(coefficients, fields, r, at + a);
        }
        double size =
            Math.max(Algebra.norm(from.values(), at, d), Algebra.norm(to.values(), at, d));
        double ratio = Algebra.norm(error, 0, d) / (atol + rtol * size);
        boolean finite = Double.isFinite(size) && Double.isFinite(ratio);
        largest[r] = Math.max(largest[r], finite ? ratio : Double.NaN);
      }
    }
    return largest;
  }

  @Override
  public Extreme[] largest(Field v, boolean[] active) {
    ReferenceArray field = own(v);
    Shape shape = field.shape();
    Requests.active(shape, active);
    Extreme[] out = new Extreme[shape.replicas()];
    for (int r = 0; r < out.length; r++) {
      out[r] = active[r] ? largest(field, r) : new Extreme(0, 0);
    }
    return out;
  }

  private static Extreme largest(ReferenceArray field, int r) {
    int d = field.shape().d();
    Extreme best = new Extreme(-1, 0);
    for (int i = 0; i < field.shape().n(); i++) {
      double speed = Algebra.norm(field.values(), field.at(r) + i * d, d);
      if (!Double.isFinite(speed)) {
        return new Extreme(Double.NaN, i);
      }
      if (speed > best.value()) {
        best = new Extreme(speed, i);
      }
    }
    return best;
  }

  @Override
  public Observations observations() {
    return observations;
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}

  /** The state as this engine's own. */
  ReferenceArray own(State x) {
    if (x instanceof ReferenceArray a && a.owner == this && a.isState) {
      return a;
    }
    throw Requests.foreign();
  }

  private ReferenceArray own(Field v) {
    if (v instanceof ReferenceArray a && a.owner == this && !a.isState) {
      return a;
    }
    throw Requests.foreign();
  }

  private double[][] fields(double[][] coefficients, Field[] k, Shape shape) {
    Requests.coefficients(shape, coefficients, k);
    double[][] values = new double[k.length][];
    for (int m = 0; m < k.length; m++) {
      values[m] = own(k[m]).values();
    }
    return values;
  }

  private static EngineException refused(String message) {
    return new EngineException(Kind.REQUEST, message);
  }
}
