package org.starling.app.figures;

import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.store.TrajectoryReader;

/** Picks frames of a run. */
final class FrameChoice {
  private FrameChoice() {}

  /**
   * The frames nearest to the times given; without times, {@code count} frames spread evenly over
   * those saved (so logarithmic where they are), first and last included.
   *
   * @return ascending, each once
   * @throws MissingData if a time lies outside the run
   */
  static int[] of(TrajectoryReader frames, List<Double> times, int count) throws MissingData {
    int last = frames.frames() - 1;
    if (times.isEmpty()) {
      return IntStream.range(0, count)
          .map(k -> count == 1 ? last : (int) Math.round((double) k * last / (count - 1)))
          .distinct()
          .toArray();
    }
    double end = frames.time(last);
    for (double t : times) {
      if (!(t >= 0 && t <= end * (1 + 1e-9))) {
        throw new MissingData(
            "time " + t + " is outside the run, whose frames go from 0 to " + end);
      }
    }
    return times.stream().mapToInt(t -> nearest(frames, t)).sorted().distinct().toArray();
  }

  private static int nearest(TrajectoryReader frames, double time) {
    int low = 0;
    int high = frames.frames() - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (frames.time(middle) <= time) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return time - frames.time(low) <= frames.time(high) - time ? low : high;
  }
}
