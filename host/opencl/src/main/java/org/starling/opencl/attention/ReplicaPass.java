package org.starling.opencl.attention;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.WholeSteps.Progress;
import org.starling.core.engine.WholeSteps.Watching;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockStepKernels;
import org.starling.kernels.BlockTable;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.ReplicaKernels;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Whole steps of small replicas, of a given size: advance_replicas.cl, advance_blocks.cl. */
final class ReplicaPass {
  private static final int SLOPE = 1;
  private static final int RAW = 2;
  private static final int KEEP = 4;

  /** Up to so many tokens, and from so many replicas on, replicas take whole steps in any case. */
  private static final int MOST_TOKENS_ALONE = 128;

  private static final int REPLICAS_TOGETHER = 16;

  /** Aimed length of a call; longer ones only if a single step of all replicas is. */
  private static final double SECONDS = 0.4;

  /** Aimed length of what cannot be cut into launches, the steps of one replica. */
  private static final double UNCUT_SECONDS = 0.08;

  /** Replicas that a compute unit works on at the same time, at most. */
  private static final int GROUPS_TOGETHER = 16;

  /** Multiply-adds per second before anything is measured. */
  private static final double FIRST_GUESS = 2e8;

  /** A call may be longer than the longest one measured by this factor. */
  private static final double GROWTH = 8;

  final DeviceSession session;
  final Workspace work;
  final Numbers numbers;
  final int lanes;
  final StepChoice choice;

  /** For many dimensions; null on other devices than CPUs. */
  final BlockTeam team;

  private final boolean mixed;
  private LoadedLayers loaded;
  private double workPerSecond = FIRST_GUESS;
  private double longest;

  /**
   * @param tiles tiles of row blocks; null on other devices than CPUs
   */
  ReplicaPass(
      DeviceSession session,
      Workspace work,
      Numbers numbers,
      boolean mixed,
      StepChoice choice,
      BlockTable tiles) {
    this.session = session;
    this.work = work;
    this.numbers = numbers;
    this.mixed = mixed;
    this.choice = choice;
    this.team = tiles == null ? null : new BlockTeam(session, work, numbers, tiles);
    this.lanes =
        session.device().cpu()
            ? BlockTiles.lanes(numbers.fp64(), session.device().vectorBytes())
            : 1;
  }

  private boolean staged() {
    return lanes == 1;
  }

  private Grid grid(Shape s) {
    return Grid.groups(staged() ? ReplicaKernels.items(s.n()) : 1);
  }

  boolean accepts(RungeKutta scheme, Shape s, List<Layer> layers) {
    return !mixed
        && (!scheme.adaptive() || ReplicaAttempts.makes(scheme))
        && layers.stream().allMatch(this::accepts)
        && (inBlocks(s) ? shares(scheme, s, layers) : holds(s) && pays(s, layers));
  }

  /** Whether the threads of the device share each replica of this shape. */
  boolean inBlocks(Shape s) {
    return s.d() > AttentionKernels.SMALL_DIMENSION;
  }

  private boolean shares(RungeKutta scheme, Shape s, List<Layer> layers) {
    return scheme.stages() <= BlockStepKernels.MOST_STAGES
        && team != null
        && team.takes(s)
        && layers.stream().allMatch(l -> StepChoice.work(s, l) <= choice.shared());
  }

  private boolean holds(Shape s) {
    return s.n() <= ReplicaKernels.MOST_TOKENS
        && (!staged()
            || ReplicaKernels.localBytes(numbers.fp64(), s.d(), s.n())
                <= session.device().localMemory());
  }

  /** Few replicas take a core each while the others idle. */
  private boolean pays(Shape s, List<Layer> layers) {
    return s.n() <= MOST_TOKENS_ALONE
        || s.replicas() >= REPLICAS_TOGETHER
        || (!staged() && layers.stream().allMatch(l -> StepChoice.work(s, l) <= choice.alone()));
  }

  /** What whole steps need beside states and matrices, where such replicas may make them. */
  List<MemoryPlan.Item> buffers(Shape s, List<Layer> layers) {
    if (mixed || !layers.stream().allMatch(this::accepts)) {
      return List.of();
    }
    long each = 64 + 8L * numbers.bytes();
    if (inBlocks(s)) {
      boolean whole = team != null && team.takes(s);
      each += whole ? team.bytes(s) : 0;
      return whole
          ? List.of(new MemoryPlan.Item("steps of replicas", 1, each * s.replicas()))
          : List.of();
    }
    return s.n() > ReplicaKernels.MOST_TOKENS
        ? List.of()
        : List.of(new MemoryPlan.Item("steps of replicas", 1, each * s.replicas()));
  }

  private boolean accepts(Layer layer) {
    return layer.interaction() == null
        && layer.merged() == null
        && layer.roles() == null
        && layer.rule() == null
        && !layer.keyed()
        && layer.geometry() != Geometry.RESCALED
        && Family.of(layer, numbers.fp64()) == Family.PLAIN;
  }

  /** See {@link org.starling.core.engine.WholeSteps#advance}. */
  Progress advance(
      RungeKutta scheme,
      ClState x,
      ClState previous,
      Layer[] layers,
      double[] size,
      int[] most,
      Watching watching) {
    int[] units = IntStream.range(0, most.length).filter(r -> most[r] > 0).toArray();
    int steps = affordable(scheme, x.shape(), layers, units);
    int[] made = new int[most.length];
    for (int r : units) {
      made[r] = Math.min(most[r], steps);
      made[r] = inBlocks(x.shape()) ? BlockTeam.untilLook(watching, r, made[r]) : made[r];
    }
    long begin = System.nanoTime();
    int op = (scheme.raw() ? RAW : 0) | (previous == null ? 0 : KEEP);
    DeviceBuffer kept = (previous == null ? x : previous).values();
    Progress progress =
        launch(scheme, x, kept, x.values(), layers, size, units, made, op, watching);
    spent(scheme, x.shape(), layers, units, progress.steps(), begin);
    return progress;
  }

  /** Steps of each of these replicas, at least one, that a call may make. */
  int affordable(RungeKutta scheme, Shape s, Layer[] layers, int[] units) {
    double step = units.length * workPerStep(scheme, s, layers[units[0]]);
    double together = session.device().computeUnits() * (staged() ? (double) GROUPS_TOGETHER : 1);
    double seconds = Math.min(SECONDS, UNCUT_SECONDS * Math.max(1, units.length / together));
    double allowed = workPerSecond * seconds;
    if (longest > 0) {
      allowed = Math.min(allowed, GROWTH * longest);
    }
    int most = inBlocks(s) ? team.mostSteps(scheme, s) : 1 << 20;
    return (int) Math.max(1, Math.min(allowed / step, most));
  }

  /** Learns from the time since {@code begin} that a call has taken. */
  void spent(RungeKutta scheme, Shape s, Layer[] layers, int[] units, int[] steps, long begin) {
    double done = 0;
    for (int r : units) {
      done += workPerStep(scheme, s, layers[r]) * steps[r];
    }
    if (done > 0) {
      workPerSecond = done / Math.max(1e-6, (System.nanoTime() - begin) * 1e-9);
      longest = Math.max(longest, done);
    }
  }

  /** The first slope of the active replicas. */
  FieldReport slope(
      RungeKutta scheme, ClState x, Layer[] layers, boolean[] active, DeviceBuffer out) {
    int[] units = IntStream.range(0, active.length).filter(r -> active[r]).toArray();
    int[] once = new int[active.length];
    Arrays.fill(once, 1);
    int op = SLOPE | (scheme.raw() ? RAW : 0);
    double[] none = new double[active.length];
    return launch(scheme, x, x.values(), out, layers, none, units, once, op, Watching.NOTHING)
        .report();
  }

  static double workPerStep(RungeKutta scheme, Shape s, Layer layer) {
    return scheme.stages() * StepChoice.work(s, layer);
  }

  private Progress launch(
      RungeKutta scheme,
      ClState x,
      DeviceBuffer previous,
      DeviceBuffer field,
      Layer[] layers,
      double[] size,
      int[] units,
      int[] steps,
      int op,
      Watching watching) {
    Shape s = x.shape();
    load(s, layers, units);
    CalmScores calm = new CalmScores(scheme, s);
    int[] order = new int[3 * units.length];
    double[] sizes = new double[3 * units.length];
    double longestUnit = 0;
    for (int u = 0; u < units.length; u++) {
      int r = units[u];
      CalmScores.Answer answer = calm.of(layers[r], size[r]);
      order[3 * u] = r;
      order[3 * u + 1] = steps[r];
      order[3 * u + 2] = answer.kind();
      sizes[3 * u] = numbers.round(size[r]);
      sizes[3 * u + 1] = size[r] - sizes[3 * u];
      sizes[3 * u + 2] = answer.strength();
      longestUnit = Math.max(longestUnit, steps[r] * workPerStep(scheme, s, layers[r]));
    }
    DeviceBuffer orders = work.buffer("orders of replicas", 12L * s.replicas());
    orders.write(0, order, 0, order.length);
    DeviceBuffer stepSizes = work.buffer("step sizes", 3L * numbers.bytes() * s.replicas());
    numbers.write(stepSizes, 0, sizes);
    DeviceBuffer made = work.buffer("steps made", 16L * s.replicas());
    DeviceBuffer motions = work.buffer("motions", (long) numbers.bytes() * s.replicas());
    KernelVariant variant =
        inBlocks(s)
            ? team.variant(scheme, s)
            : ReplicaKernels.advance(
                numbers.fp64(),
                s.d(),
                s.n(),
                scheme.stages(),
                lanes,
                !watching.watches().isEmpty(),
                choice.panel());
    Call call =
        session
            .kernel(variant)
            .call()
            .buffer(x.values())
            .buffer(previous)
            .buffer(field)
            .buffer(orders)
            .buffer(stepSizes)
            .buffer(made)
            .buffer(motions)
            .buffer(tableau(scheme));
    run(call, scheme, s, units, op, watching, longestUnit);
    return progress(units, s, made, motions);
  }

  /**
   * Passes what the kernels of whole steps have in common, and enqueues the call.
   *
   * @param longest work of a unit, at most
   */
  void run(
      Call call,
      RungeKutta scheme,
      Shape s,
      int[] units,
      int op,
      Watching watching,
      double longest) {
    if (inBlocks(s)) {
      team.pass(call, scheme, s, units.length);
    } else {
      ReplicaWatches.of(watching, units).pass(call, work, numbers);
    }
    loaded.passStrides(loaded.passAll(call)).int32(s.n()).int32(op);
    if (inBlocks(s)) {
      team.over(call, s, units.length, longest);
    } else {
      call.over(units.length, grid(s), longest);
    }
  }

  private Progress progress(int[] units, Shape s, DeviceBuffer made, DeviceBuffer motions) {
    int[] found = new int[4 * units.length];
    made.read(0, found, 0, found.length);
    double[] squares = numbers.read(motions, 0, units.length);
    int[] steps = new int[s.replicas()];
    int[] nonFinite = new int[s.replicas()];
    Arrays.fill(nonFinite, -1);
    double[] motion = new double[s.replicas()];
    long below = 0;
    long first = -1;
    for (int u = 0; u < units.length; u++) {
      int r = units[u];
      steps[r] = found[4 * u];
      nonFinite[r] = found[4 * u + 1];
      motion[r] = Math.sqrt(squares[u]);
      if (found[4 * u + 2] > 0) {
        below += found[4 * u + 2];
        long token = (long) r * s.n() + found[4 * u + 3];
        first = first < 0 ? token : Math.min(first, token);
      }
    }
    return new Progress(steps, nonFinite, motion, new FieldReport(0, -1, below, first));
  }

  /**
   * Makes the layers of these replicas known to the device, which remembers those of the others.
   */
  void load(Shape s, Layer[] layers, int[] units) {
    boolean known = loaded != null && loaded.layers().length == layers.length;
    Layer[] all = known ? loaded.layers() : layers.clone();
    for (int r : units) {
      known &= all[r] == layers[r];
    }
    if (!known) {
      for (int r : units) {
        all[r] = layers[r];
      }
      int[] slots = IntStream.range(0, all.length).toArray();
      int width = inBlocks(s) ? team.packWidth(s) : AttentionKernels.packWidth(numbers.fp64());
      loaded = LoadedLayers.upload(all, slots, work, numbers, width, "of whole steps");
    }
  }

  private DeviceBuffer tableau(RungeKutta scheme) {
    int stages = scheme.stages();
    double[][] rows = Arrays.copyOf(scheme.a(), stages + 1);
    rows[stages] = scheme.b();
    return tableau(rows, stages);
  }

  /** Rows of coefficients, rounded; then what their rounding left. */
  DeviceBuffer tableau(double[][] rows, int width) {
    int size = rows.length * width;
    double[] all = new double[2 * size];
    for (int s = 0; s < rows.length; s++) {
      for (int m = 0; m < rows[s].length; m++) {
        all[s * width + m] = numbers.round(rows[s][m]);
        all[size + s * width + m] = rows[s][m] - numbers.round(rows[s][m]);
      }
    }
    DeviceBuffer tableau =
        work.buffer("coefficients of steps", (long) numbers.bytes() * all.length);
    numbers.write(tableau, 0, all);
    return tableau;
  }
}
