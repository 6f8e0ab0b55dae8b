package org.starling.opencl.attention;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.WholeSteps.Attempts;
import org.starling.core.engine.WholeSteps.Clocks;
import org.starling.core.engine.WholeSteps.Limits;
import org.starling.core.engine.WholeSteps.Watching;
import org.starling.core.model.Layer;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.ReplicaKernels;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;

/** Whole steps of small replicas that choose their sizes: adapt_replicas.cl, adapt_blocks.cl. */
final class ReplicaAttempts {
  private static final int SLOPE = 1;
  private static final int RAW = 2;
  private static final int SIDE = 8;

  /** Numbers of a unit in the kernel's arguments of these names. */
  private static final int ORDER = 6;

  private static final int PACE = 5;
  private static final int MADE = 7;

  /** Last places that a time to stop before is moved by, so that a caller's rounding decides. */
  private static final int ULPS = 4;

  private final ReplicaPass pass;

  ReplicaAttempts(ReplicaPass pass) {
    this.pass = pass;
  }

  /** Whether a scheme is of the kind that the kernel knows. */
  static boolean makes(RungeKutta scheme) {
    int last = scheme.stages() - 1;
    return last == ReplicaKernels.PLACES
        && Arrays.equals(scheme.a()[last], Arrays.copyOf(scheme.b(), last))
        && scheme.b()[last] == 0
        && scheme.b()[1] == 0
        && scheme.error()[1] == 0;
  }

  /** See {@link org.starling.core.engine.WholeSteps#adapt}. */
  Attempts adapt(
      RungeKutta scheme,
      StepLaw law,
      ClState x,
      ClState end,
      DeviceBuffer[] slopes,
      Layer[] layers,
      Clocks clocks,
      Limits limits,
      Watching watching) {
    Shape s = x.shape();
    int[] units = IntStream.range(0, s.replicas()).filter(r -> limits.attempts()[r] > 0).toArray();
    int affordable = pass.affordable(scheme, s, layers, units);
    int[] attempts = new int[s.replicas()];
    int[] order = new int[ORDER * units.length];
    double[] paces = new double[PACE * units.length];
    long[] times = new long[2 * units.length];
    for (int u = 0; u < units.length; u++) {
      int r = units[u];
      attempts[r] = Math.min(limits.attempts()[r], affordable);
      order[ORDER * u + 1] = attempts[r];
      order[ORDER * u + 2] =
          pass.inBlocks(s)
              ? BlockTeam.untilLook(watching, r, limits.steps()[r])
              : limits.steps()[r];
      order[ORDER * u + 4] = clocks.counted()[r] ? 0 : 1;
      paces[PACE * u] = clocks.size()[r];
      paces[PACE * u + 2] = clocks.memory()[r];
      paces[PACE * u + 3] = clocks.lost()[r] ? 2 : clocks.refused()[r] ? 1 : 0;
      order[ORDER * u + 5] = clocks.stuck()[r];
      times[2 * u] = Double.doubleToRawLongBits(clocks.time()[r]);
      times[2 * u + 1] = Double.doubleToRawLongBits(clocks.previous()[r]);
    }
    double before = limits.before();
    for (int k = 0; k < ULPS; k++) {
      before = Math.nextDown(before);
    }
    Until until = new Until(limits.reach(), before, law.smallest());
    long begin = System.nanoTime();
    Launch launch = new Launch(scheme, law, x, end.values(), slopes, layers, units, attempts);
    Found found = launch.run(order, paces, times, until, scheme.raw() ? RAW : 0, watching);
    int[] spent = new int[s.replicas()];
    int[] accepted = new int[s.replicas()];
    int[] rejected = new int[s.replicas()];
    int[] badToken = new int[s.replicas()];
    double[] motion = new double[s.replicas()];
    Arrays.fill(badToken, -1);
    for (int u = 0; u < units.length; u++) {
      int r = units[u];
      int at = MADE * u;
      accepted[r] = found.made[at];
      rejected[r] = found.made[at + 1];
      spent[r] = accepted[r] + rejected[r];
      badToken[r] = found.made[at + 3];
      clocks.time()[r] = Double.longBitsToDouble(found.times[2 * u]);
      clocks.previous()[r] = Double.longBitsToDouble(found.times[2 * u + 1]);
      clocks.size()[r] = found.paces[PACE * u];
      clocks.memory()[r] = found.paces[PACE * u + 2];
      clocks.refused()[r] = found.made[at + 2] > 0;
      clocks.lost()[r] = found.made[at + 2] == 2;
      clocks.stuck()[r] = found.made[at + 6];
      motion[r] = found.paces[PACE * u + 3];
    }
    pass.spent(scheme, s, layers, units, spent, begin);
    return new Attempts(accepted, rejected, badToken, motion, report(found.made, units, s));
  }

  /** See {@link org.starling.core.engine.WholeSteps#sideStep}. */
  double[] sideStep(
      RungeKutta scheme, StepLaw law, ClState x, ClState out, Layer[] layers, double[] size) {
    Shape s = x.shape();
    int[] units = IntStream.range(0, s.replicas()).filter(r -> size[r] > 0).toArray();
    double[] paces = new double[PACE * units.length];
    for (int u = 0; u < units.length; u++) {
      double h = size[units[u]];
      paces[PACE * u] = pass.numbers.round(h);
      paces[PACE * u + 1] = h - paces[PACE * u];
      paces[PACE * u + 2] = 1;
    }
    double[] error = new double[s.replicas()];
    Launch launch =
        new Launch(scheme, law, x, out.values(), none(x), layers, units, once(s.replicas()));
    Found found = launch.once(paces, SIDE | (scheme.raw() ? RAW : 0));
    for (int u = 0; u < units.length; u++) {
      double e = found.paces[PACE * u + 4];
      error[units[u]] = Double.isInfinite(e) ? Double.NaN : e;
    }
    return error;
  }

  /** The first slope of the active replicas. */
  FieldReport slope(
      RungeKutta scheme, ClState x, Layer[] layers, boolean[] active, DeviceBuffer out) {
    int[] units = IntStream.range(0, active.length).filter(r -> active[r]).toArray();
    DeviceBuffer[] slopes = none(x);
    slopes[0] = out;
    StepLaw law = new StepLaw(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1);
    Launch launch =
        new Launch(scheme, law, x, x.values(), slopes, layers, units, once(active.length));
    Found found = launch.once(new double[PACE * units.length], SLOPE | (scheme.raw() ? RAW : 0));
    return report(found.made, units, x.shape());
  }

  private static int[] once(int replicas) {
    int[] once = new int[replicas];
    Arrays.fill(once, 1);
    return once;
  }

  private static DeviceBuffer[] none(ClState x) {
    DeviceBuffer[] none = new DeviceBuffer[ReplicaKernels.PLACES];
    Arrays.fill(none, x.values());
    return none;
  }

  private static FieldReport report(int[] made, int[] units, Shape s) {
    long below = 0;
    long first = -1;
    for (int u = 0; u < units.length; u++) {
      if (made[MADE * u + 4] > 0) {
        below += made[MADE * u + 4];
        long token = (long) units[u] * s.n() + made[MADE * u + 5];
        first = first < 0 ? token : Math.min(first, token);
      }
    }
    return new FieldReport(0, -1, below, first);
  }

  /** Where the steps of all replicas end. */
  private record Until(double reach, double before, double least) {
    static final Until NOWHERE = new Until(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
  }

  /** What the kernel leaves. */
  private record Found(int[] made, double[] paces, long[] times) {}

  private final class Launch {
    private final RungeKutta scheme;
    private final StepLaw law;
    private final ClState x;
    private final DeviceBuffer end;
    private final DeviceBuffer[] slopes;
    private final Layer[] layers;
    private final int[] units;
    private final int[] attempts;

    Launch(
        RungeKutta scheme,
        StepLaw law,
        ClState x,
        DeviceBuffer end,
        DeviceBuffer[] slopes,
        Layer[] layers,
        int[] units,
        int[] attempts) {
      this.scheme = scheme;
      this.law = law;
      this.x = x;
      this.end = end;
      this.slopes = slopes;
      this.layers = layers;
      this.units = units;
      this.attempts = attempts;
    }

    /** A single attempt or slope of each unit. */
    Found once(double[] paces, int op) {
      int[] order = new int[ORDER * units.length];
      for (int u = 0; u < units.length; u++) {
        order[ORDER * u + 1] = 1;
        order[ORDER * u + 2] = 1;
        order[ORDER * u + 4] = 1;
      }
      long[] times = new long[2 * units.length];
      return run(order, paces, times, Until.NOWHERE, op, Watching.NOTHING);
    }

    /** Completes the orders and runs the kernel. */
    Found run(int[] order, double[] paces, long[] times, Until until, int op, Watching watching) {
      Shape s = x.shape();
      Numbers numbers = pass.numbers;
      Workspace work = pass.work;
      pass.load(s, layers, units);
      CalmScores calm = new CalmScores(scheme, s);
      double longest = 0;
      for (int u = 0; u < units.length; u++) {
        int r = units[u];
        CalmScores.Answer answer = calm.ofAnyStep(layers[r]);
        order[ORDER * u] = r;
        order[ORDER * u + 3] = answer.kind();
        paces[PACE * u + 4] = answer.strength();
        longest = Math.max(longest, attempts[r] * ReplicaPass.workPerStep(scheme, s, layers[r]));
      }
      DeviceBuffer orders = work.buffer("orders of replicas", 4L * ORDER * s.replicas());
      orders.write(0, order, 0, order.length);
      DeviceBuffer clock = work.buffer("clocks", 16L * s.replicas());
      clock.write(0, times, 0, times.length);
      DeviceBuffer pace = work.buffer("step sizes", (long) PACE * numbers.bytes() * s.replicas());
      numbers.write(pace, 0, paces);
      DeviceBuffer made = work.buffer("steps made", 4L * MADE * s.replicas());
      KernelVariant variant =
          pass.inBlocks(s)
              ? pass.team.variant(scheme, s)
              : ReplicaKernels.adapt(
                  numbers.fp64(),
                  s.d(),
                  s.n(),
                  scheme.stages(),
                  pass.lanes,
                  !watching.watches().isEmpty(),
                  pass.choice.panel());
      Call call = pass.session.kernel(variant).call().buffer(x.values()).buffer(end);
      for (DeviceBuffer slope : slopes) {
        call.buffer(slope);
      }
      call.buffer(orders)
          .buffer(clock)
          .buffer(pace)
          .buffer(made)
          .buffer(tableau())
          .buffer(law())
          .int64(Double.doubleToRawLongBits(until.reach))
          .int64(Double.doubleToRawLongBits(until.before))
          .int64(Double.doubleToRawLongBits(until.least));
      pass.run(call, scheme, s, units, op, watching, longest);
      int[] counts = new int[MADE * units.length];
      made.read(0, counts, 0, counts.length);
      clock.read(0, times, 0, times.length);
      return new Found(counts, numbers.read(pace, 0, paces.length), times);
    }

    /** Coefficients over the places of slopes, then those of the error. */
    private DeviceBuffer tableau() {
      int stages = scheme.stages();
      double[][] rows = Arrays.copyOf(scheme.a(), stages + 1);
      double[] error = Arrays.copyOf(scheme.error(), stages - 1);
      error[1] = scheme.error()[stages - 1];
      rows[stages] = error;
      return pass.tableau(rows, stages - 1);
    }

    private DeviceBuffer law() {
      double[] all = {
        law.safety(),
        law.alpha(),
        law.beta(),
        law.growth(),
        law.leastAccepted(),
        law.leastRejected(),
        law.notFinite(),
        law.floor(),
        law.atol(),
        law.rtol(),
        law.resolved(),
        law.stuck()
      };
      DeviceBuffer buffer =
          pass.work.buffer("law of steps", (long) pass.numbers.bytes() * all.length);
      pass.numbers.write(buffer, 0, all);
      return buffer;
    }
  }
}
