package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.Watch;
import org.starling.core.engine.WholeSteps.Watching;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * Conditions that the kernels of whole steps stop at: replica_watches.cl. Bounds are loosened, so
 * that rounding hides none from whoever judges.
 *
 * @param list the conditions
 * @param numbers their description, then where each unit stands between two looks
 */
record ReplicaWatches(List<Watch> list, int[] numbers) {
  /** Part by which a bound is loosened; far above rounding, far below what anybody asks for. */
  private static final double SLACK = 1e-4;

  private static final int WATCH_COSINE = 0;
  private static final int WATCH_DISTANCE = 1;
  private static final int WATCH_FIRST = 2;

  static ReplicaWatches of(Watching watching, int[] units) {
    List<Watch> list = watching.watches();
    int count = list.size();
    int[] numbers = new int[1 + 3 * count + units.length * count];
    numbers[0] = count;
    for (int w = 0; w < count; w++) {
      Watch watch = list.get(w);
      numbers[1 + 3 * w] =
          switch (watch.kind()) {
            case COSINE_CLUSTERS -> WATCH_COSINE;
            case DISTANCE_CLUSTERS -> WATCH_DISTANCE;
            case NEAR_FIRST -> WATCH_FIRST;
          };
      numbers[2 + 3 * w] = watch.most();
      numbers[3 + 3 * w] = watch.every();
      for (int u = 0; u < units.length; u++) {
        numbers[1 + 3 * count + u * count + w] = (int) (watching.steps()[units[u]] % watch.every());
      }
    }
    return new ReplicaWatches(list, numbers);
  }

  boolean any() {
    return !list.isEmpty();
  }

  /** Passes the conditions and their bounds. */
  Call pass(Call call, Workspace work, Numbers precision) {
    DeviceBuffer watches = work.buffer("watches", 4L * numbers.length);
    watches.write(0, numbers, 0, numbers.length);
    DeviceBuffer bounds = work.buffer("bounds of watches", (long) precision.bytes() * list.size());
    precision.write(bounds, 0, list.stream().mapToDouble(w -> bound(w, precision)).toArray());
    return call.buffer(watches).buffer(bounds);
  }

  private static double bound(Watch watch, Numbers precision) {
    double unit = precision.fp64() ? 0x1p-52 : 0x1p-23;
    double loose = watch.threshold() * (1 + SLACK);
    return switch (watch.kind()) {
      // 1 - cosine of tokens whose norms are off by rounding.
      case COSINE_CLUSTERS -> (1 - watch.threshold()) * (1 + SLACK) + 64 * unit * unit;
      case DISTANCE_CLUSTERS, NEAR_FIRST -> loose * loose;
    };
  }
}
