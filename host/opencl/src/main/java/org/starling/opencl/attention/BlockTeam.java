package org.starling.opencl.attention;

import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.WholeSteps.Watching;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockStepKernels;
import org.starling.kernels.BlockTable;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.ReplicaKernels;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * The threads of a CPU device share whole steps of replicas in many dimensions: advance_blocks.cl
 * and adapt_blocks.cl, and what they work in.
 */
record BlockTeam(DeviceSession session, Workspace work, Numbers numbers, BlockTable table) {
  /** Numbers of all replicas, at most: they stand several times in memory. */
  private static final long MOST_NUMBERS = 1L << 20;

  boolean takes(Shape s) {
    return s.d() > AttentionKernels.SMALL_DIMENSION
        && s.n() <= ReplicaKernels.MOST_TOKENS
        && s.size() <= MOST_NUMBERS
        && BlockStepKernels.takes(tiles(s));
  }

  private BlockTiles tiles(Shape s) {
    return table.at(numbers.fp64(), s.d());
  }

  int packWidth(Shape s) {
    return tiles(s).tileKeys();
  }

  KernelVariant variant(RungeKutta scheme, Shape s) {
    return scheme.adaptive()
        ? BlockStepKernels.adapt(numbers.fp64(), s.d(), tiles(s), scheme.stages())
        : BlockStepKernels.advance(numbers.fp64(), s.d(), tiles(s));
  }

  private int blocks(Shape s) {
    return (s.n() + tiles(s).rows() - 1) / tiles(s).rows();
  }

  /** Work-items that share a replica. */
  private int members(Shape s) {
    return Math.min(session.device().computeUnits(), blocks(s));
  }

  /** Steps that the tickets of a launch suffice for. */
  int mostSteps(RungeKutta scheme, Shape s) {
    return (1 << 30) / (blocks(s) * (scheme.stages() + 2)) - 2;
  }

  /** Bytes that a replica's steps need beside states. */
  long bytes(Shape s) {
    int fields =
        Math.max(
            BlockStepKernels.ADVANCE_STATES + BlockStepKernels.MOST_STAGES,
            BlockStepKernels.ADAPT_STATES + ReplicaKernels.PLACES);
    return fields * fieldBytes(s) + 2 * keyBytes(s) + (20L + 4 * BlockStepKernels.TEAM) * blocks(s);
  }

  private long fieldBytes(Shape s) {
    return BlockStepKernels.fieldNumbers(tiles(s), s.d(), s.n()) * numbers.bytes();
  }

  private long keyBytes(Shape s) {
    int width = packWidth(s);
    long groups = (s.n() + width - 1) / width;
    return groups * width * tiles(s).paddedDimension(s.d()) * numbers.bytes();
  }

  /** Passes what the work-items work in, and how many they are to a replica. */
  Call pass(Call call, RungeKutta scheme, Shape s, int units) {
    boolean adaptive = scheme.adaptive();
    int fields =
        adaptive
            ? BlockStepKernels.ADAPT_STATES + ReplicaKernels.PLACES
            : BlockStepKernels.ADVANCE_STATES + scheme.stages();
    int results = adaptive ? BlockStepKernels.ADAPT_RESULTS : BlockStepKernels.ADVANCE_RESULTS;
    long all = (long) units * blocks(s);
    DeviceBuffer team = work.buffer("teams of steps", 4L * BlockStepKernels.TEAM * units);
    team.zero();
    call.buffer(work.atLeast("fields of steps", units * fields * fieldBytes(s)))
        .buffer(work.atLeast("packed keys of steps", units * 2 * keyBytes(s)))
        .buffer(work.atLeast("results of steps", all * results * numbers.bytes()))
        .buffer(work.atLeast("range counts of steps", all * 8))
        .buffer(team);
    if (!adaptive) {
      call.int32(scheme.stages());
    }
    return call.int32(members(s));
  }

  /** Enqueues a call for units of at most so much work each. */
  void over(Call call, Shape s, int units, double longest) {
    call.over(units, Grid.team(members(s)), longest);
  }

  /**
   * The steps that replica r may make until a watch is due, for these kernels look at none: whoever
   * called does, then.
   */
  static int untilLook(Watching watching, int r, int most) {
    int left = most;
    for (var watch : watching.watches()) {
      left = (int) Math.min(left, watch.every() - watching.steps()[r] % watch.every());
    }
    return left;
  }
}
