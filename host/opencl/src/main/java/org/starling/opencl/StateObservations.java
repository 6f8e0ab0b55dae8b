package org.starling.opencl;

import java.util.Map;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;

/** Observables of single tokens and their sums. Parts are joined here in order, in float64. */
final class StateObservations {
  private final StateOperations operations;

  StateObservations(StateOperations operations) {
    this.operations = operations;
  }

  Observations.Spread[] spread(ClState x, boolean fromFirst) {
    Shape shape = x.shape();
    int each = Parts.perReplica(shape);
    Map<String, String> define = Map.of("FROM_FIRST", fromFirst ? "1" : "0");
    DeviceKernel kernel = operations.kernel(StateKernels.SPREAD, define);
    StateOperations.state(kernel.call(), x)
        .buffer(operations.parts().reals(shape))
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * each,
            operations.grid(kernel),
            StateKernels.TOKENS_PER_ITEM * 40.0 * shape.d());
    double[] part = operations.parts().read(4L * shape.replicas() * each);
    Observations.Spread[] result = new Observations.Spread[shape.replicas()];
    for (int r = 0; r < result.length; r++) {
      double least = Double.POSITIVE_INFINITY;
      double most = Double.NEGATIVE_INFINITY;
      double sum = 0;
      for (int p = 4 * r * each; p < 4 * (r + 1) * each; p += 4) {
        least = Math.min(least, part[p]);
        sum += part[p + 1] + part[p + 2];
        most = Math.max(most, part[p + 3]);
      }
      result[r] = new Observations.Spread(least, sum / shape.n(), most);
    }
    return result;
  }

  double[] orderParameter(ClState x) {
    Shape shape = x.shape();
    int each = Parts.sumsPerReplica(shape);
    int d = shape.d();
    DeviceKernel kernel = operations.kernel(StateKernels.COORDINATE_SUMS, Map.of());
    StateOperations.state(kernel.call(), x)
        .buffer(operations.parts().reals(shape))
        .int32(shape.n())
        .int32(d)
        .over(
            (long) shape.replicas() * each * d,
            operations.grid(kernel),
            10.0 * Math.min(shape.n(), StateKernels.TOKENS_PER_SUM));
    double[] part = operations.parts().read(2L * shape.replicas() * each * d);
    double[] result = new double[shape.replicas()];
    for (int r = 0; r < result.length; r++) {
      double norm = 0;
      for (int a = 0; a < d; a++) {
        double sum = 0;
        for (int b = 0; b < each; b++) {
          int at = 2 * ((r * each + b) * d + a);
          sum += part[at] + part[at + 1];
        }
        norm = Math.hypot(norm, sum / shape.n());
      }
      result[r] = norm;
    }
    return result;
  }

  Observations.NonFinite[] nonFinite(ClState x) {
    Shape shape = x.shape();
    int each = Parts.perReplica(shape);
    DeviceKernel kernel = operations.kernel(StateKernels.NON_FINITE, operations.flat());
    StateOperations.state(kernel.call(), x)
        .buffer(operations.parts().ints(shape))
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * each,
            operations.grid(kernel),
            StateKernels.TOKENS_PER_ITEM * 2.0 * shape.d());
    int[] part = operations.parts().readInts(2L * shape.replicas() * each);
    Observations.NonFinite[] result = new Observations.NonFinite[shape.replicas()];
    for (int r = 0; r < result.length; r++) {
      long count = 0;
      int token = -1;
      for (int p = 2 * r * each; p < 2 * (r + 1) * each; p += 2) {
        count += part[p];
        token = token < 0 ? part[p + 1] : token;
      }
      result[r] = new Observations.NonFinite(count, token);
    }
    return result;
  }

  double[][] secondMoment(ClState x) {
    Shape shape = x.shape();
    double[][] result = new double[shape.replicas()][];
    for (int r = 0; r < result.length; r++) {
      result[r] = secondMoment(x, r);
    }
    return result;
  }

  /** Row by row of the matrix in slabs that the work buffer holds, each over blocks of tokens. */
  private double[] secondMoment(ClState x, int replica) {
    Shape shape = x.shape();
    int n = shape.n();
    int d = shape.d();
    DeviceKernel kernel = operations.kernel(StateKernels.SECOND_MOMENT, Map.of());
    DeviceBuffer part = operations.parts().reals(shape);
    long pairRows = Parts.realCapacity(shape) / 2 / d;
    int slab = (int) Math.min((d + 3) / 4 * 4L, pairRows / 4 * 4);
    int blocks = (int) Math.max(1, Math.min(pairRows / slab, Parts.sumsPerReplica(shape)));
    long block = ((long) n + blocks - 1) / blocks;
    double[] moment = new double[Math.multiplyExact(d, d)];
    for (int row = 0; row < d; row += slab) {
      int rows = Math.min(slab, d - row);
      long tiles = (long) blocks * ((rows + 3) / 4) * ((d + 3) / 4);
      kernel
          .call()
          .buffer(x.values())
          .buffer(part)
          .int64(replica)
          .int32(n)
          .int32(d)
          .int32(row)
          .int32(rows)
          .int64(block)
          .over(tiles, operations.grid(kernel), 32.0 * block);
      double[] sums = operations.parts().read(2L * blocks * rows * d);
      for (int b = 0; b < blocks; b++) {
        for (int e = 0; e < rows * d; e++) {
          int at = 2 * (b * rows * d + e);
          moment[row * d + e] += sums[at] + sums[at + 1];
        }
      }
    }
    for (int e = 0; e < moment.length; e++) {
      moment[e] /= n;
    }
    return moment;
  }
}
