package org.starling.opencl;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.starling.core.model.Philox;
import org.starling.kernels.ProbeKernels;
import org.starling.kernels.ProbeKernels.Function;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Measures the elementary functions of a device, as the kernels call them, against the JVM's. */
final class FunctionProbe {
  private static final int COUNT = 1 << 16;

  private final DeviceSession session;
  private final boolean fp64;

  FunctionProbe(DeviceSession session, boolean fp64) {
    this.session = session;
    this.fp64 = fp64;
  }

  /** Worst relative error of each function over the arguments that occur. */
  Map<String, Double> worstRelativeErrors() {
    Map<String, Double> worst = new LinkedHashMap<>();
    for (Function f : Function.values()) {
      double[] x = arguments(f);
      double[] y = values(f, x);
      double largest = 0;
      for (int i = 0; i < x.length; i++) {
        double exact = exact(f, x[i]);
        double error = Math.abs(y[i] - exact) / exact;
        // Math.max keeps NaN.
        largest = Math.max(largest, error);
      }
      worst.put(f.name().toLowerCase(Locale.ROOT).replace('_', ' '), largest);
    }
    return worst;
  }

  /** The random words of a token, {@code [pairs][4]}. */
  int[] randomWords(Philox stream, long step, int token, int pairs) {
    DeviceKernel kernel = session.kernel(ProbeKernels.RANDOM_WORDS.with(Map.of()));
    int[] words = new int[4 * pairs];
    try (DeviceBuffer to = session.allocate("random words", 4L * words.length)) {
      kernel
          .call()
          .buffer(to)
          .int32(stream.key0())
          .int32(stream.key1())
          .int32((int) step)
          .int32((int) (step >>> 32))
          .int32(token)
          .over(pairs, Grid.items(kernel.workGroup(8)), 100);
      to.read(0, words, 0, words.length);
    }
    return words;
  }

  /** Exponents down to where weights vanish; squares and sums over many magnitudes. */
  private double[] arguments(Function f) {
    double[] x = new double[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double u = (i + 0.5) / COUNT;
      boolean exponent = f == Function.EXP2 || f == Function.EXP2_SMALL;
      double a = exponent ? -120 * u * u : StrictMath.pow(2, 80 * u - 40);
      x[i] = fp64 ? a : (float) a;
    }
    return x;
  }

  private static double exact(Function f, double x) {
    return switch (f) {
      case EXP2_SMALL, EXP2 -> StrictMath.pow(2, x);
      case SQRT -> StrictMath.sqrt(x);
      case RECIPROCAL -> 1 / x;
    };
  }

  private double[] values(Function f, double[] x) {
    DeviceKernel kernel = session.kernel(ProbeKernels.functions(fp64, f));
    long bytes = COUNT * (fp64 ? 8L : 4L);
    try (DeviceBuffer from = session.allocate("arguments", bytes);
        DeviceBuffer to = session.allocate("values", bytes)) {
      if (fp64) {
        from.write(0, x, 0, COUNT);
      } else {
        float[] rounded = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
          rounded[i] = (float) x[i];
        }
        from.write(0, rounded, 0, COUNT);
      }
      kernel
          .call()
          .buffer(from)
          .buffer(to)
          .over(COUNT / ProbeKernels.width(fp64), Grid.items(kernel.workGroup(32)), 50);
      double[] y = new double[COUNT];
      if (fp64) {
        to.read(0, y, 0, COUNT);
      } else {
        float[] read = new float[COUNT];
        to.read(0, read, 0, COUNT);
        for (int i = 0; i < COUNT; i++) {
          y[i] = read[i];
        }
      }
      return y;
    }
  }
}
