package org.starling.opencl.attention;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.kernels.CircleKernels;
import org.starling.kernels.SeriesKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * Attention on the circle by Fourier series: moments of the keys, their sums over blocks, the rows
 * (circle_rows.cl).
 */
final class CircleLaunch extends SeriesLaunch {
  /** Memory of moments is taken for a multiple of so many frequencies. */
  private static final int FREQUENCIES = 16;

  CircleLaunch(DeviceSession session, Workspace work, Precision precision, SumChoice choice) {
    super("circle", session, work, precision, choice);
  }

  private CircleKernels kernels(Expansion series) {
    return new CircleKernels(
        precision == Precision.DOUBLE,
        precision == Precision.MIXED,
        lanes(),
        block(),
        CircleKernels.limitFor(series.terms()));
  }

  @Override
  SeriesKernels common(Expansion series) {
    return kernels(series).common();
  }

  @Override
  long rowUnits(int keys) {
    long blocks = (keys + (long) block() - 1) / block();
    return (blocks + lanes() - 1) / lanes();
  }

  /** A lane more than there are blocks holds what all blocks have together. */
  private int padded(int n) {
    return Math.toIntExact((rowUnits(n) + 1) * lanes());
  }

  private long momentBytes(int terms, int n) {
    long frequencies = (terms + (long) FREQUENCIES) / FREQUENCIES * FREQUENCIES;
    return 8L * 2 * CircleKernels.POWERS * frequencies * padded(n);
  }

  @Override
  List<MemoryPlan.Item> moments(Shape s, List<Expansion> series) {
    long moments = series.stream().mapToLong(e -> momentBytes(e.terms(), s.n())).max().orElse(0);
    return List.of(
        new MemoryPlan.Item("circle moments", 1, moments),
        new MemoryPlan.Item("circle radii", 1, 8L * padded(s.n())));
  }

  @Override
  long sums(Evaluation e, boolean causal, int keys, int firstRow) {
    CircleKernels kernels = kernels(e.series());
    int n = e.n();
    int padded = padded(n);
    int blocks = (keys + block() - 1) / block();
    long units = rowUnits(keys);
    double tokens = (double) block() * lanes();
    DeviceBuffer radii = buffer("radii", 8L * padded);
    e.state(session.kernel(kernels.radii()).call())
        .buffer(radii)
        .int32(e.replica())
        .int32(n)
        .int32(keys)
        .over(units, grid(), 8 * tokens);
    double[] excess = new double[blocks];
    radii.read(0, excess, 0, blocks);
    double worst = Arrays.stream(excess).max().getAsDouble();
    int powers = e.series().powers(worst);
    int filled =
        powers <= CircleKernels.FEW_POWERS ? CircleKernels.FEW_POWERS : CircleKernels.POWERS;
    int frequencies = e.series().terms() + 1;
    int columns = 2 * CircleKernels.POWERS * frequencies;
    DeviceBuffer moments = buffer("moments", momentBytes(e.series().terms(), n));
    e.state(session.kernel(kernels.moments()).call())
        .buffer(e.table())
        .buffer(moments)
        .int32(padded)
        .int32(e.replica())
        .int32(n)
        .int32(keys)
        .int32(powers)
        .int32(filled)
        .over(units, grid(), 8 * tokens * powers * frequencies);
    session
        .kernel(kernels.prefix())
        .call()
        .buffer(moments)
        .buffer(radii)
        .int32(columns)
        .int32(padded)
        .int32(blocks)
        .int32(filled)
        .over((columns + lanes() - 1L) / lanes() + 1, grid(), 8.0 * lanes() * blocks);
    int heads = e.series().layer().heads().size();
    DeviceBuffer counts = counts(e);
    e.state(session.kernel(kernels.rows(causal, filled)).call())
        .buffer(e.out().values())
        .buffer(doubt(e))
        .buffer(counts)
        .buffer(e.table())
        .buffer(moments)
        .buffer(radii)
        .int32(padded)
        .int32(e.replica())
        .int32(n)
        .int32(keys)
        .int32(firstRow)
        .int32(e.operation().ordinal())
        .over(units, grid(), 16 * tokens * filled * frequencies * heads);
    int[] inDoubt = new int[Math.toIntExact(units)];
    counts.read(0, inDoubt, 0, inDoubt.length);
    return Arrays.stream(inDoubt).asLongStream().sum();
  }
}
