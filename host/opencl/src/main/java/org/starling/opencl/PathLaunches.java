package org.starling.opencl;

import org.starling.core.paths.PathAttention;
import org.starling.kernels.PathKernels;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Launches of the kernels of attention paths. */
final class PathLaunches {
  /** Work-group size where a work-item is a thread of a GPU. */
  private static final int LOCAL = 64;

  /** The same where a work-group is a loop on a CPU, and few of them must keep all cores busy. */
  private static final int CPU_LOCAL = 4;

  private final DeviceSession session;
  private final boolean fp64;
  private final int width;

  PathLaunches(DeviceSession session, boolean fp64) {
    this.session = session;
    this.fp64 = fp64;
    int own = session.device().vectorBytes() / (fp64 ? 8 : 4);
    width = session.device().cpu() ? Math.min(fp64 ? 8 : 16, Math.max(2, own)) : 1;
  }

  /** Matrices with rows at {@code leading} from one another. */
  record Matrix(DeviceBuffer values, long offset, long batch, int leading) {
    static Matrix of(DeviceBuffer values, int leading) {
      return new Matrix(values, 0, 0, leading);
    }
  }

  /** Numbers that rows are padded to multiples of. */
  int strip() {
    return PathKernels.strip(width);
  }

  int padded(int columns) {
    return Math.max(1, (columns + strip() - 1) / strip()) * strip();
  }

  private Grid items(DeviceKernel kernel) {
    return Grid.items(kernel.workGroup(session.device().cpu() ? CPU_LOCAL : LOCAL));
  }

  /** C = A B with M rows, N columns (padded) and inner size K, of every matrix. */
  void product(Matrix a, Matrix b, Matrix c, int m, int n, int inner, int matrices) {
    if (m == 0 || matrices == 0) {
      return;
    }
    DeviceKernel kernel = session.kernel(PathKernels.product(fp64, width));
    Call call = kernel.call();
    for (Matrix x : new Matrix[] {a, b, c}) {
      call.buffer(x.values()).int64(x.offset()).int64(x.batch()).int32(x.leading());
    }
    long blocks = (m + PathKernels.ROWS - 1L) / PathKernels.ROWS;
    call.int32(m)
        .int32(n)
        .int32(inner)
        .over(
            blocks * (n / strip()) * matrices,
            items(kernel),
            (double) PathKernels.ROWS * strip() * inner);
  }

  void transpose(DeviceBuffer from, DeviceBuffer to, int rows, int columns, int padded) {
    DeviceKernel kernel = session.kernel(PathKernels.transpose(fp64, width));
    kernel
        .call()
        .buffer(from)
        .buffer(to)
        .int32(rows)
        .int32(columns)
        .int32(padded)
        .over(columns, items(kernel), padded);
  }

  void gram(
      DeviceBuffer x,
      DeviceBuffer y,
      DeviceBuffer out,
      int count,
      int paths,
      int padded,
      int parts) {
    if (parts == 0) {
      return;
    }
    DeviceKernel kernel = session.kernel(PathKernels.gram(fp64, width));
    kernel
        .call()
        .buffer(x)
        .buffer(y)
        .buffer(out)
        .int32(count)
        .int32(paths)
        .int32(padded)
        .over((long) parts * paths * paths, items(kernel), (double) PathKernels.PART * padded);
  }

  /** Attentioned inputs of {@code count} examples, the first at {@code xiFirst} of xi. */
  void features(
      PathAttention attention,
      int tokens,
      int padded,
      DeviceBuffer x,
      DeviceBuffer y,
      DeviceBuffer heads,
      DeviceBuffer weights,
      DeviceBuffer xi,
      long xiFirst,
      int count,
      double scale) {
    DeviceKernel kernel =
        session.kernel(PathKernels.features(fp64, width, tokens, attention.hardmax()));
    int all = attention.layers().stream().mapToInt(java.util.List::size).sum();
    Call call =
        kernel
            .call()
            .buffer(x)
            .buffer(y)
            .buffer(heads)
            .buffer(weights)
            .buffer(xi)
            .int64(xiFirst)
            .int32(count)
            .int32(attention.depth())
            .int32(attention.paths())
            .int32(padded)
            .int32(attention.readout().query(tokens));
    (fp64 ? call.float64(scale) : call.float32((float) scale))
        .over(
            count,
            Grid.groups(kernel.workGroup(session.device().cpu() ? 1 : LOCAL)),
            (double) tokens * (all * tokens + attention.paths()) * padded);
  }
}
