package org.starling.opencl.attention;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.kernels.AttentionKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * Sets the rows of frozen tokens to 0 (freeze.cl), after the launches that computed them among the
 * others. A frozen token whose field was below the range of numbers is reported as one.
 */
final class FrozenRows {
  private static final int ITEMS = 16;

  private final DeviceSession session;
  private final Workspace work;
  private final Numbers numbers;

  /** What is on the device, counted over all replicas. */
  private long[] known = {};

  FrozenRows(DeviceSession session, Workspace work, Numbers numbers) {
    this.session = session;
    this.work = work;
    this.numbers = numbers;
  }

  List<MemoryPlan.Item> buffers(Shape s, List<Layer> layers) {
    long most = layers.stream().mapToLong(FrozenRows::count).max().orElse(0);
    return most == 0
        ? List.of()
        : List.of(new MemoryPlan.Item("frozen tokens", 1, 8 * most * s.replicas()));
  }

  private static int count(Layer layer) {
    return layer.roles() == null ? 0 : layer.roles().frozen().length;
  }

  void clear(Shape s, Layer[] layers, boolean[] active, ClField out) {
    LongStream all = LongStream.empty();
    for (int r = 0; r < layers.length; r++) {
      if (active[r] && count(layers[r]) > 0) {
        long from = (long) r * s.n();
        all =
            LongStream.concat(
                all, Arrays.stream(layers[r].roles().frozen()).mapToLong(i -> from + i));
      }
    }
    long[] tokens = all.toArray();
    if (tokens.length == 0) {
      return;
    }
    DeviceBuffer buffer = work.buffer("frozen tokens", 8L * tokens.length);
    if (!Arrays.equals(tokens, known)) {
      buffer.write(0, tokens, 0, tokens.length);
      known = tokens;
    }
    session
        .kernel(AttentionKernels.freeze(numbers.fp64(), s.d()))
        .call()
        .buffer(out.values())
        .buffer(buffer)
        .over(tokens.length, Grid.items(ITEMS), s.d());
  }
}
