package org.starling.bench;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.integrate.Method;
import org.starling.core.model.Precision;

/** Which measurements are made, in order: limits, operations, whole steps, peers. */
final class Programme {
  private static final int[] DIMENSIONS = {64, 128, 256, 512, 768, 1024};

  private final BenchOptions options;
  private final boolean gpu;
  private final boolean fp64;
  private final boolean series;
  private final boolean halves;
  private final List<Case> cases = new ArrayList<>();

  private Programme(BenchOptions options, DeviceInfo device) {
    this.options = options;
    this.gpu = device.type().equals("gpu");
    this.fp64 = device.fp64();
    this.series = fp64 && device.engine().equals("opencl");
    this.halves = device.type().equals("cpu") && device.engine().equals("opencl");
  }

  static List<Case> of(BenchOptions options, DeviceInfo device) {
    Programme p = new Programme(options, device);
    p.limits();
    if (options.precisions().contains(Precision.SINGLE)) {
      p.single();
    }
    if (p.inDouble()) {
      p.doubles();
    }
    return List.copyOf(p.cases);
  }

  private boolean inDouble() {
    return fp64 && options.precisions().contains(Precision.DOUBLE);
  }

  private void limits() {
    if (options.precisions().contains(Precision.SINGLE)) {
      for (Limit limit : Limit.values()) {
        cases.add(new LimitCase(Precision.SINGLE, limit));
      }
    }
    if (inDouble()) {
      cases.add(new LimitCase(Precision.DOUBLE, Limit.MULTIPLY_ADD));
      cases.add(new LimitCase(Precision.DOUBLE, Limit.OWN_EXPONENTIAL));
      cases.add(new LimitCase(Precision.DOUBLE, Limit.DEVICE_EXPONENTIAL));
    }
  }

  /** Tokens for a dimension: enough that the pass is long, few enough that it is not tedious. */
  private int tokens(int d) {
    if (gpu) {
      return d <= 128 ? 16384 : 8192;
    }
    return d <= 128 && !options.quick() ? 8192 : 4096;
  }

  private void single() {
    boolean quick = options.quick();
    Precision single = Precision.SINGLE;
    for (int d : quick ? new int[] {64, 128, 512} : DIMENSIONS) {
      cases.add(new AttentionCase(single, tokens(d), d, true, options.peers()));
    }
    for (int d : new int[] {16, 32}) {
      cases.add(new AttentionCase(single, tokens(d), d, true, false));
    }
    for (int d : !halves ? new int[0] : quick ? new int[] {128} : new int[] {128, 768}) {
      cases.add(new HalfCase(4096, d));
    }
    for (int d : quick ? new int[] {2} : new int[] {1, 2, 3, 4, 8}) {
      cases.add(new PairCase(single, gpu ? 65536 : 16384, d));
    }
    if (!quick) {
      for (int n : new int[] {256, 1024, 2048}) {
        cases.add(new AttentionCase(single, n, 128, false, false));
      }
      cases.add(new PairCase(single, 1024, 2));
      cases.add(new PairCase(single, 131072, 2));
    }
    if (series) {
      cases.add(new SeriesCase(100_000, 2, 16, false, true));
      cases.add(new SeriesCase(1_000_000, 2, 16, false, false));
      cases.add(new SeriesCase(1_000_000, 2, 16, true, false));
      if (!quick) {
        cases.add(new SeriesCase(100_000, 2, 64, false, true));
        cases.add(new SeriesCase(1_000_000, 2, 64, false, false));
      }
      for (double beta : quick ? new double[] {16} : new double[] {4, 16, 64}) {
        cases.add(new SeriesCase(100_000, 3, beta, false, true));
        cases.add(new SeriesCase(100_000, 3, beta, true, true));
      }
    }
    cases.add(
        quick
            ? new ScalingCase(128, 4096, 16384)
            : new ScalingCase(128, 4096, 8192, 16384, 32768, 65536));
    cases.add(new EnsembleCase(Method.RK4, 1000, 64, 2));
    cases.add(new EnsembleCase(Method.DOPRI5, 1000, 64, 2));
    if (!quick) {
      cases.add(new EnsembleCase(Method.RK4, 4000, 32, 2));
      cases.add(new EnsembleCase(Method.RK4, 100, 512, 3));
    }
    steps();
    cases.add(new StateCase());
    cases.add(new MemoryCase());
    cases.add(new JavaCase(4096, 128, true));
    cases.add(new JavaCase(4096, 128, false));
    if (!quick) {
      cases.add(new JavaCase(16384, 2, true));
      cases.add(new CompileCase(512, 128));
      cases.add(new CompileCase(512, 2));
    }
    if (options.peers()) {
      for (int d : quick ? new int[] {3, 128} : new int[] {2, 3, 64, 128, 768}) {
        cases.add(new PeerCase(4096, d, false));
        cases.add(new PeerCase(4096, d, true));
      }
    }
  }

  private void steps() {
    for (Method method : List.of(Method.RK4, Method.DOPRI5)) {
      cases.add(new StepCase(method, 4096, 128));
      cases.add(new StepCase(method, 300, 2));
      if (!options.quick()) {
        cases.add(new StepCase(method, 64, 2));
        cases.add(new StepCase(method, 300, 64));
      }
    }
  }

  private void doubles() {
    boolean quick = options.quick();
    for (int d : quick ? new int[] {128} : new int[] {16, 64, 128, 256, 768}) {
      cases.add(new AttentionCase(Precision.DOUBLE, 4096, d, !quick, options.peers() && d >= 64));
    }
    cases.add(new PairCase(Precision.DOUBLE, gpu ? 65536 : 16384, 2));
  }
}
