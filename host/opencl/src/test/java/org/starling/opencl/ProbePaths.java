package org.starling.opencl;

import java.util.List;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Readout;
import org.starling.core.paths.Sequences;

/** The kernels of attention paths around the edges of their blocks, for the checker. */
final class ProbePaths {
  private ProbePaths() {}

  static void run(PathOperations operations) {
    for (int count : new int[] {1, 9, 33}) {
      int width = 5;
      double[] x = numbers(count * 3 * width);
      List<double[]> heads = List.of(numbers(width * width), numbers(width * width));
      PathAttention attention =
          new PathAttention(
              width,
              List.of(heads, heads),
              count == 9,
              count == 1 ? Readout.AVERAGE_POOLING : Readout.LAST_TOKEN);
      try (PathFeatures f =
          operations.features(attention, new Sequences(count, 3, width, x), 0.5)) {
        double[] k = new double[count * count];
        operations.kernel(f, f, numbers(16), k);
        operations.pathKernel(f, f, 3, 1, k);
        operations.contract(f, k, new double[16]);
        operations.download(f);
      }
    }
  }

  private static double[] numbers(int count) {
    double[] x = new double[count];
    for (int k = 0; k < count; k++) {
      x[k] = Math.sin(k + 1);
    }
    return x;
  }
}
