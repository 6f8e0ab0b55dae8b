package org.starling.opencl;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.kernels.KernelSource;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Launches of the kernels on states and fields. Arguments have been checked by the engine. */
final class StateOperations implements AutoCloseable {
  /** Work-group size of kernels without local memory. */
  private static final int LOCAL = 32;

  /**
   * The same on CPU devices, where a work-group is a loop and few of them must keep all cores busy.
   */
  private static final int CPU_LOCAL = 8;

  private final DeviceSession session;
  private final Precision precision;
  private final boolean cpu;
  private final ReplicaParameters parameters;
  private final Parts parts;
  private final NoiseStreams noise;
  private final KeyShift keyShift;

  StateOperations(DeviceSession session, Precision precision) {
    this.session = session;
    this.precision = precision;
    this.cpu = session.device().cpu();
    this.parameters = new ReplicaParameters(session, precision);
    this.parts = new Parts(session, precision);
    this.noise = new NoiseStreams(session, precision);
    this.keyShift = new KeyShift(session, this);
  }

  Parts parts() {
    return parts;
  }

  KeyShift keyShift() {
    return keyShift;
  }

  DeviceBuffer active(boolean[] active) {
    return parameters.active(active);
  }

  DeviceKernel kernel(KernelSource source, Map<String, String> extra) {
    Map<String, String> defines = new HashMap<>(defines(precision));
    defines.putAll(extra);
    return session.kernel(source.with(defines));
  }

  static Map<String, String> defines(Precision precision) {
    return switch (precision) {
      case SINGLE -> StateKernels.SINGLE;
      case MIXED -> StateKernels.MIXED;
      case DOUBLE -> StateKernels.DOUBLE;
    };
  }

  Grid grid(DeviceKernel kernel) {
    return Grid.items(kernel.workGroup(cpu ? CPU_LOCAL : LOCAL));
  }

  /** Passes a state: its values and, in mixed precision, its corrections. */
  static Call state(Call call, ClState x) {
    call.buffer(x.values());
    return x.corrections() == null ? call : call.buffer(x.corrections());
  }

  Call real(Call call, double v) {
    return precision == Precision.DOUBLE ? call.float64(v) : call.float32((float) v);
  }

  void combine(ClState out, ClState x, double[][] coefficients, ClField[] k, boolean[] active) {
    Shape shape = x.shape();
    Call call = state(state(kernel(StateKernels.COMBINE, flat()).call(), out), x);
    terms(call, x, coefficients, k, active);
    overNumbers(call, shape, active, 8 + 12.0 * k.length);
  }

  void combineBoth(
      ClState out,
      ClState x,
      ClState also,
      ClState y,
      double[][] coefficients,
      ClField k,
      boolean[] active) {
    Shape shape = x.shape();
    Call call = kernel(StateKernels.COMBINE_BOTH, flat()).call();
    state(state(state(state(call, out), x), also), y).buffer(k.values());
    coefficients(call, coefficients, active);
    overNumbers(call, shape, active, 40);
  }

  Map<String, String> flat() {
    return StateKernels.flat(cpu, precision == Precision.DOUBLE);
  }

  Map<String, String> tokens(Shape shape) {
    return StateKernels.tokens(cpu, precision == Precision.DOUBLE, shape.d());
  }

  private void overNumbers(Call call, Shape shape, boolean[] active, double work) {
    int chunk = StateKernels.chunk(cpu);
    call.buffer(parameters.active(active))
        .int32(shape.replicas())
        .int64((long) shape.n() * shape.d())
        .over(shape.size(), cpu ? new Grid(1, chunk) : Grid.items(LOCAL), work);
  }

  void addNoise(
      ClState out,
      ClState x,
      Philox[] streams,
      long[] step,
      double[] scale,
      boolean tangent,
      boolean[] active) {
    Shape shape = x.shape();
    DeviceKernel kernel = kernel(StateKernels.NOISE, Map.of());
    state(state(kernel.call(), out), x)
        .buffer(noise.of(streams, step, scale))
        .buffer(parameters.active(active))
        .int32(shape.n())
        .int32(shape.d())
        .int32(tangent ? 1 : 0)
        .over((long) shape.replicas() * shape.n(), grid(kernel), 200.0 * shape.d());
  }

  void retract(ClState out, ClState x, boolean[] active) {
    Shape shape = x.shape();
    int tokens = StateKernels.tokens(cpu);
    state(state(kernel(StateKernels.RETRACT, tokens(shape)).call(), out), x)
        .buffer(parameters.active(active))
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * shape.n(),
            cpu ? new Grid(1, tokens) : Grid.items(LOCAL),
            60.0 * shape.d());
  }

  /** z_i = sigma(M y_i + b), see map_tokens.cl. */
  void mapTokens(
      ClField z,
      DeviceBuffer y,
      DeviceBuffer matrix,
      DeviceBuffer bias,
      int kind,
      boolean[] active) {
    Shape shape = z.shape();
    DeviceKernel kernel = kernel(StateKernels.MAP_TOKENS, Map.of());
    kernel
        .call()
        .buffer(z.values())
        .buffer(y)
        .buffer(matrix)
        .buffer(bias)
        .buffer(parameters.active(active))
        .int32(shape.n())
        .int32(shape.d())
        .int32(kind)
        .over(shape.size(), grid(kernel), 4.0 * shape.d());
  }

  /** v_i = v_i + z_i, projected to the tangent of x_i if asked. */
  void addTokens(ClField v, ClField z, ClState x, boolean tangent, boolean[] active) {
    Shape shape = v.shape();
    DeviceKernel kernel = kernel(StateKernels.ADD_TOKENS, Map.of());
    kernel
        .call()
        .buffer(v.values())
        .buffer(z.values())
        .buffer(x.values())
        .buffer(parameters.active(active))
        .int32(shape.n())
        .int32(shape.d())
        .int32(tangent ? 1 : 0)
        .over((long) shape.replicas() * shape.n(), grid(kernel), 10.0 * shape.d());
  }

  /** v_i times speed / |y_i|, or times speed |y_i|; a length of 0 divides nothing. */
  void scaleTokens(ClField v, DeviceBuffer y, double speed, boolean inverse, boolean[] active) {
    Shape shape = v.shape();
    DeviceKernel kernel = kernel(StateKernels.SCALE_TOKENS, Map.of());
    Call call =
        kernel
            .call()
            .buffer(v.values())
            .buffer(y)
            .buffer(parameters.active(active))
            .int32(shape.n())
            .int32(shape.d());
    real(call, speed)
        .int32(inverse ? 1 : 0)
        .over((long) shape.replicas() * shape.n(), grid(kernel), 30.0 * shape.d());
  }

  double[] errorNorm(
      ClState x,
      ClState y,
      double[][] coefficients,
      ClField[] k,
      double atol,
      double rtol,
      boolean[] active) {
    Shape shape = x.shape();
    int each = Parts.perReplicaInStep(shape);
    DeviceKernel kernel = kernel(StateKernels.ERROR_NORM, tokens(shape));
    Call call = kernel.call().buffer(x.values()).buffer(y.values());
    terms(call, x, coefficients, k, active);
    call.buffer(parameters.active(active)).buffer(parts.reals(shape));
    real(real(call, atol), rtol)
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * each,
            grid(kernel),
            StateKernels.TOKENS_PER_STEP_ITEM * shape.d() * (60.0 + 24.0 * k.length));
    double[] part = parts.read((long) shape.replicas() * each);
    double[] norms = new double[shape.replicas()];
    for (int r = 0; r < norms.length; r++) {
      for (int p = 0; active[r] && p < each; p++) {
        // Math.max keeps a NaN.
        norms[r] = Math.max(norms[r], part[r * each + p]);
      }
    }
    return norms;
  }

  Engine.Extreme[] largest(ClField v, boolean[] active) {
    Shape shape = v.shape();
    int each = Parts.perReplicaInStep(shape);
    DeviceKernel kernel = kernel(StateKernels.LARGEST, Map.of());
    kernel
        .call()
        .buffer(v.values())
        .buffer(parameters.active(active))
        .buffer(parts.reals(shape))
        .buffer(parts.ints(shape))
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * each,
            grid(kernel),
            StateKernels.TOKENS_PER_STEP_ITEM * 30.0 * shape.d());
    double[] part = parts.read((long) shape.replicas() * each);
    int[] token = parts.readInts((long) shape.replicas() * each);
    Engine.Extreme[] result = new Engine.Extreme[shape.replicas()];
    for (int r = 0; r < result.length; r++) {
      Engine.Extreme best = new Engine.Extreme(active[r] ? -1 : 0, 0);
      for (int p = r * each; active[r] && p < (r + 1) * each; p++) {
        if (Double.isNaN(part[p])) {
          best = new Engine.Extreme(Double.NaN, token[p]);
          break;
        }
        if (part[p] > best.value()) {
          best = new Engine.Extreme(part[p], token[p]);
        }
      }
      result[r] = best;
    }
    return result;
  }

  /** Passes up to eight fields, the coefficients and their number; unread fields are x itself. */
  private void terms(Call call, ClState x, double[][] coefficients, ClField[] k, boolean[] active) {
    for (int m = 0; m < StateKernels.MOST_TERMS; m++) {
      call.buffer(m < k.length ? k[m].values() : x.values());
    }
    coefficients(call, coefficients, active);
    call.int32(k.length);
  }

  private void coefficients(Call call, double[][] c, boolean[] active) {
    parameters.active(active);
    ByteBuffer shared = parameters.shared(c);
    call.buffer(shared == null ? parameters.coefficients(c) : parameters.coefficients())
        .vector(shared == null ? parameters.none() : shared)
        .int32(shared == null ? 0 : 1);
  }

  @Override
  public void close() {
    parameters.close();
    parts.close();
    noise.close();
    keyShift.close();
  }
}
