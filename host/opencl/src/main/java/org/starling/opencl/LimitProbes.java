package org.starling.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.DeviceProbes.Probe;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.ProbeKernels;
import org.starling.kernels.ProbeKernels.Stream;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Kernels that reach for one limit of a device each, in the shapes that suit its kind. */
final class LimitProbes {
  /** Arrays of the memory probes: several times what last-level caches hold. */
  private static final long STREAM_BYTES = 128L << 20;

  /** Work of one work-item, in multiply-adds: some tenths of a millisecond on a CPU core. */
  private static final int CPU_ITEM = 25_000_000;

  private static final int GPU_ITEM = 1 << 14;
  private static final int GPU_GROUP = 256;

  private final DeviceSession session;
  private final boolean fp64;
  private final boolean cpu;

  LimitProbes(DeviceSession session, boolean fp64) {
    this.session = session;
    this.fp64 = fp64;
    this.cpu = session.device().cpu();
  }

  List<Probe> probes(Limit limit) {
    return switch (limit) {
      case MULTIPLY_ADD -> multiplyAdds();
      case OWN_EXPONENTIAL -> exponentials(true);
      case DEVICE_EXPONENTIAL -> exponentials(false);
      case COPY -> stream(Stream.COPY, 2);
      case TRIAD -> stream(Stream.TRIAD, 3);
      case READ -> stream(Stream.READ, 1);
    };
  }

  private List<Probe> multiplyAdds() {
    List<Probe> all = new ArrayList<>();
    for (int width : cpu ? new int[] {4, 8, 16} : new int[] {1, 2, 4}) {
      for (int chains : cpu ? new int[] {8, 12, 16} : new int[] {4, 8}) {
        int rounds = (cpu ? CPU_ITEM : GPU_ITEM) / (width * chains);
        KernelVariant variant = ProbeKernels.multiplyAdd(fp64, width, chains, rounds);
        all.add(
            registers(
                "vectors of " + width + ", " + chains + " chains",
                variant,
                true,
                1,
                units -> 2.0 * units * width * chains * rounds));
      }
    }
    return all;
  }

  private List<Probe> exponentials(boolean own) {
    List<Probe> all = new ArrayList<>();
    int width = cpu ? BlockTiles.lanes(fp64, session.device().vectorBytes()) : 1;
    // An exponential is worth about ten multiply-adds.
    int work = (cpu ? CPU_ITEM : GPU_ITEM) / 10;
    for (int chains : cpu ? new int[] {8, 12} : new int[] {2, 4}) {
      int rounds = work / (width * chains);
      KernelVariant variant = ProbeKernels.exp(fp64, width, chains, rounds, own);
      all.add(
          registers(
              "vectors of " + width + ", " + chains + " chains",
              variant,
              false,
              width,
              units -> (double) units * width * chains * rounds));
    }
    return all;
  }

  private Probe registers(
      String name,
      KernelVariant variant,
      boolean factors,
      int results,
      ToDoubleFunction<Long> work) {
    long units = (long) session.device().computeUnits() * (cpu ? 64 : 1 << 14);
    int real = fp64 ? 8 : 4;
    DeviceBuffer out = session.allocate("probe results", units * results * real);
    DeviceBuffer in = null;
    if (factors) {
      in = session.allocate("probe factors", 2L * real);
      if (fp64) {
        in.write(0, new double[] {0.5, 0.5}, 0, 2);
      } else {
        in.write(0, new float[] {0.5f, 0.5f}, 0, 2);
      }
    }
    double amount = work.applyAsDouble(units);
    return new Launched(name, variant, in, null, out, units, cpu ? 1 : GPU_GROUP, true, amount);
  }

  private List<Probe> stream(Stream stream, int arrays) {
    long block = 16L * ProbeKernels.MEMORY_BLOCK;
    long most = Math.min(session.device().maxAllocation(), session.device().globalMemory() / 16);
    long units = Math.max(1, Math.min(STREAM_BYTES, most) / block);
    DeviceBuffer x = session.allocate("probe x", units * block);
    DeviceBuffer y = stream == Stream.TRIAD ? session.allocate("probe y", units * block) : x;
    DeviceBuffer z = session.allocate("probe z", units * block);
    return List.of(
        new Launched(
            "arrays of " + (units * block >> 20) + " MiB",
            ProbeKernels.memory(stream),
            x,
            y,
            z,
            units,
            cpu ? 1 : GPU_GROUP,
            false,
            (double) arrays * units * block));
  }

  /** A kernel with its buffers and how many units it is run over. */
  private final class Launched implements Probe {
    private final String name;
    private final KernelVariant variant;
    private final DeviceBuffer x;
    private final DeviceBuffer y;
    private final DeviceBuffer out;
    private final long units;
    private final int local;
    private final boolean items;
    private final double amount;

    Launched(
        String name,
        KernelVariant variant,
        DeviceBuffer x,
        DeviceBuffer y,
        DeviceBuffer out,
        long units,
        int local,
        boolean items,
        double amount) {
      this.name = name;
      this.variant = variant;
      this.x = x;
      this.y = y;
      this.out = out;
      this.units = units;
      this.local = local;
      this.items = items;
      this.amount = amount;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public double run() {
      DeviceKernel kernel = session.kernel(variant);
      var call = kernel.call();
      if (x != null) {
        call.buffer(x);
      }
      if (y != null) {
        call.buffer(y);
      }
      int group = kernel.workGroup(local);
      call.buffer(out)
          .over(units, items ? Grid.items(group) : Grid.groups(group), amount / units / 2);
      return amount;
    }

    @Override
    public void close() {
      if (x != null) {
        x.close();
      }
      if (y != null) {
        y.close();
      }
      out.close();
    }
  }
}
