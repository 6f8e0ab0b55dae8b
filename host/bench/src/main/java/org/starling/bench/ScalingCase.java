package org.starling.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * How flat time / n^2 is from the smallest to the largest n: the largest over the smallest value of
 * the fraction of peak, so that a change of the machine's speed meanwhile cancels.
 */
final class ScalingCase implements Case {
  private final int[] sizes;
  private final int d;

  ScalingCase(int d, int... sizes) {
    this.d = d;
    this.sizes = sizes.clone();
  }

  @Override
  public List<String> ids() {
    return List.of("scaling/single/" + sizes[0] + "-" + sizes[sizes.length - 1] + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    String what = "time / n^2, largest over smallest";
    Limits limits = shop.limits(Precision.SINGLE);
    if (!limits.available()) {
      return List.of(Row.skipped(ids().get(0), what, "this engine has no probe of its peak"));
    }
    double[] smallest = new double[shop.repetitions()];
    double[] largest = new double[shop.repetitions()];
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("d", (double) d);
    List<String> each = new ArrayList<>();
    for (int n : sizes) {
      try (Scene scene =
          new Scene(
              shop.engine(Precision.SINGLE, false, d), new Shape(1, n, d), Mask.FULL, Scene.BETA)) {
        List<Timing> timings =
            Timing.interleaved(
                shop.repetitions(),
                List.of(scene.passes(), limits.beside(Limit.MULTIPLY_ADD, shop.repetitions())));
        double[] cost = timings.get(0).over(timings.get(1));
        // Sorted, so that like repetitions are compared: best with best, median with median.
        java.util.Arrays.sort(cost);
        for (int r = 0; r < cost.length; r++) {
          double perPair = cost[r] / n / n;
          smallest[r] = n == sizes[0] ? perPair : Math.min(smallest[r], perPair);
          largest[r] = n == sizes[0] ? perPair : Math.max(largest[r], perPair);
        }
        double seconds = timings.get(0).median();
        details.put("seconds_" + n, seconds);
        double fraction = 4.0 * n * n * d / Statistics.median(cost);
        details.put("of_peak_" + n, fraction);
        each.add(String.format(java.util.Locale.ROOT, "n=%d %.0f %%", n, 100 * fraction));
      }
    }
    double[] ratio = new double[smallest.length];
    for (int r = 0; r < ratio.length; r++) {
      ratio[r] = largest[r] / smallest[r];
    }
    String note = "of peak: " + String.join(", ", each);
    return List.of(Row.measured(ids().get(0), what, "x", ratio, Goal.atMost(1.1), note, details));
  }
}
