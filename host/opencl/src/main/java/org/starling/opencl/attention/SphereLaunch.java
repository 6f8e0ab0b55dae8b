package org.starling.opencl.attention;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.kernels.SeriesKernels;
import org.starling.kernels.SphereKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * Attention on the sphere, d = 3, by spherical harmonics: chunk by chunk moments of the keys and
 * their sums over blocks; causal rows follow their chunk, the others come when all keys are summed
 * (sphere_rows.cl). Memory does not grow with the number of tokens.
 */
final class SphereLaunch extends SeriesLaunch {
  /** The degree whose harmonics are on the device. */
  private int known;

  SphereLaunch(DeviceSession session, Workspace work, Precision precision, SumChoice choice) {
    super("sphere", session, work, precision, choice);
  }

  /** Blocks whose moments are held at a time; sums do not depend on it. */
  private int chunk() {
    return staged ? 512 : 64;
  }

  private SphereKernels kernels() {
    return new SphereKernels(
        precision == Precision.DOUBLE, precision == Precision.MIXED, lanes(), block(), chunk());
  }

  @Override
  SeriesKernels common(Expansion series) {
    return kernels().common();
  }

  @Override
  long rowUnits(int keys) {
    return (keys + (long) block() - 1) / block();
  }

  private static long harmonicBytes(int degree) {
    return 16L * SphereKernels.harmonics(degree);
  }

  @Override
  List<MemoryPlan.Item> moments(Shape s, List<Expansion> series) {
    int degree = series.stream().mapToInt(Expansion::terms).max().orElse(0);
    return List.of(
        new MemoryPlan.Item("sphere harmonics", 1, harmonicBytes(degree)),
        new MemoryPlan.Item("sphere moments", 1, 8 * kernels().numbers(degree)),
        new MemoryPlan.Item("sphere radii", 1, 8 * (rowUnits(s.n()) + 1)));
  }

  private DeviceBuffer harmonics(int degree) {
    DeviceBuffer harmonics = atLeast("harmonics", harmonicBytes(degree));
    if (degree != known) {
      double[] table = SphereSeries.harmonics(degree);
      harmonics.write(0, table, 0, table.length);
      known = degree;
    }
    return harmonics;
  }

  @Override
  long sums(Evaluation e, boolean causal, int keys, int firstRow) {
    SphereKernels kernels = kernels();
    int degree = e.series().terms();
    int blocks = Math.toIntExact(rowUnits(keys));
    double[] radii = radii(e, keys, blocks);
    int groups = groups(e.series(), radii[blocks]);
    double work = 3.0 * block() * SphereKernels.harmonics(degree);
    DeviceBuffer moments = atLeast("moments", 8 * kernels.numbers(degree));
    long doubtful = 0;
    for (int first = 0; first < blocks; first += chunk()) {
      int some = Math.min(chunk(), blocks - first);
      e.state(session.kernel(kernels.moments()).call())
          .buffer(harmonics(degree))
          .buffer(moments)
          .int32(degree)
          .int32(e.replica())
          .int32(e.n())
          .int32(keys)
          .int32(first)
          .int32(groups)
          .over(some, grid(), groups * 3 * work);
      session
          .kernel(kernels.prefix())
          .call()
          .buffer(moments)
          .int32(degree)
          .int32(some)
          .int32(first == 0 ? 1 : 0)
          .int32(causal ? 1 : 0)
          .over(
              (long) groups * SphereKernels.groupNumbers(degree) / lanes(),
              grid(),
              8.0 * lanes() * some);
      if (causal && (first + (long) some) * block() > firstRow) {
        doubtful += rows(e, true, keys, firstRow, first, some, groups * work);
      }
    }
    return causal ? doubtful : rows(e, false, keys, firstRow, 0, blocks, groups * work);
  }

  /** Largest ||z|^2 - 1| of the keys before each block, and of all; left on the device as well. */
  private double[] radii(Evaluation e, int keys, int blocks) {
    DeviceBuffer buffer = buffer("radii", 8 * (rowUnits(e.n()) + 1));
    e.state(session.kernel(kernels().radii()).call())
        .buffer(buffer)
        .int32(e.replica())
        .int32(e.n())
        .int32(keys)
        .over(blocks, grid(), 8.0 * block());
    double[] own = new double[blocks];
    buffer.read(0, own, 0, blocks);
    double[] before = new double[blocks + 1];
    for (int b = 0; b < blocks; b++) {
      before[b + 1] = Math.max(before[b], own[b]);
    }
    buffer.write(0, before, 0, before.length);
    return before;
  }

  private static int groups(Expansion series, double largest) {
    int together = SphereKernels.POWERS_TOGETHER;
    return (series.powers(largest) + together - 1) / together;
  }

  /** Returns how many of the rows are in doubt. */
  private long rows(
      Evaluation e,
      boolean causal,
      int keys,
      int firstRow,
      int firstBlock,
      int blocks,
      double work) {
    SphereKernels kernels = kernels();
    int degree = e.series().terms();
    DeviceBuffer counts = counts(e);
    double near = causal ? 16.0 * block() * block() : 0;
    e.state(session.kernel(kernels.rows()).call())
        .buffer(e.out().values())
        .buffer(doubt(e))
        .buffer(counts)
        .buffer(e.table())
        .buffer(harmonics(degree))
        .buffer(atLeast("moments", 8 * kernels.numbers(degree)))
        .buffer(buffer("radii", 8 * (rowUnits(e.n()) + 1)))
        .int32(e.replica())
        .int32(e.n())
        .int32(keys)
        .int32(firstRow)
        .int32(firstBlock)
        .int32(causal ? 1 : 0)
        .int32(e.operation().ordinal())
        .over(blocks, grid(), e.series().layer().heads().size() * (8 * work + near));
    int[] inDoubt = new int[blocks];
    counts.read(0, inDoubt, 0, blocks);
    return Arrays.stream(inDoubt).asLongStream().sum();
  }
}
