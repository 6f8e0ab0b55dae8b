package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.starling.analysis.series.SlopeFit;
import org.starling.core.experiment.Claim.At;

/**
 * A quantity of one replica at the frames of its run.
 *
 * @param t times, ascending, {@code [frames]}
 * @param q values, {@code [frames]}; NaN where there is none
 */
public record Series(double[] t, double[] q) {
  private static final double SLACK = 1e-9;

  /** Of the interval of a slope, of which only the slope is used. */
  private static final double CONFIDENCE = 0.95;

  /** What a measurement takes of it; NaN where that does not exist. */
  public double at(At at) {
    if (t.length == 0) {
      return Double.NaN;
    }
    if (at instanceof At.Time time) {
      return q[nearest(time.t())];
    }
    if (at instanceof At.Extreme e) {
      return extreme(e);
    }
    if (at instanceof At.Mean m) {
      return mean(m);
    }
    if (at instanceof At.Step s) {
      return step(s);
    }
    if (at instanceof At.Slope s) {
      return slope(s);
    }
    if (at instanceof At.RateWithin w) {
      return rateWithin(w);
    }
    if (at instanceof At.Reaches r) {
      return reaches(r.value());
    }
    return q[q.length - 1];
  }

  private int nearest(double time) {
    int best = 0;
    for (int k = 1; k < t.length; k++) {
      best = Math.abs(t[k] - time) < Math.abs(t[best] - time) ? k : best;
    }
    return best;
  }

  private boolean inside(int k, double from, double to) {
    double slack = SLACK * Math.max(1, Math.abs(to));
    return t[k] >= from - slack && t[k] <= to + slack;
  }

  private double extreme(At.Extreme e) {
    double worst = Double.NaN;
    for (int k = 0; k < t.length; k++) {
      if (inside(k, e.from(), e.to())) {
        if (Double.isNaN(q[k])) {
          return Double.NaN;
        }
        boolean first = Double.isNaN(worst);
        worst = first ? q[k] : e.largest() ? Math.max(worst, q[k]) : Math.min(worst, q[k]);
      }
    }
    return worst;
  }

  /** NaN where there is no frame, or one without a value. */
  private double mean(At.Mean m) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < t.length; k++) {
      if (inside(k, m.from(), m.to())) {
        sum += q[k];
        count++;
      }
    }
    return sum / count;
  }

  private double step(At.Step s) {
    double worst = Double.NaN;
    for (int k = 1; k < t.length; k++) {
      if (inside(k - 1, s.from(), s.to()) && inside(k, s.from(), s.to())) {
        double step = s.rise() ? q[k] - q[k - 1] : q[k - 1] - q[k];
        if (Double.isNaN(step)) {
          return Double.NaN;
        }
        worst = Double.isNaN(worst) ? step : Math.max(worst, step);
      }
    }
    return worst;
  }

  private double slope(At.Slope s) {
    List<double[]> points = new ArrayList<>();
    for (int k = 0; k < t.length; k++) {
      if (inside(k, s.from(), s.to())) {
        points.add(
            new double[] {
              s.logTime() ? Math.log(t[k]) : t[k], s.logValue() ? Math.log(q[k]) : q[k]
            });
      }
    }
    return line(points);
  }

  private double rateWithin(At.RateWithin w) {
    List<double[]> points = new ArrayList<>();
    boolean entered = false;
    for (int k = 0; k < t.length; k++) {
      entered = entered || q[k] <= w.high();
      if (entered && q[k] < w.low()) {
        break;
      }
      if (entered && q[k] <= w.high()) {
        points.add(new double[] {t[k], Math.log(q[k])});
      }
    }
    return line(points);
  }

  /**
   * Slope of the least-squares line; NaN for fewer than three points, where one is not finite, and
   * where all have the same place.
   */
  static double line(List<double[]> points) {
    if (points.size() < 3) {
      return Double.NaN;
    }
    double[] x = points.stream().mapToDouble(p -> p[0]).toArray();
    double[] y = points.stream().mapToDouble(p -> p[1]).toArray();
    boolean finite =
        DoubleStream.concat(Arrays.stream(x), Arrays.stream(y)).allMatch(Double::isFinite);
    return finite && Arrays.stream(x).distinct().count() > 1
        ? SlopeFit.of(SlopeFit.Scale.LINEAR, x, y, CONFIDENCE).slope()
        : Double.NaN;
  }

  /** From the side of the value where q begins; NaN if it is never reached. */
  private double reaches(double value) {
    boolean down = q[0] > value;
    for (int k = 0; k < t.length; k++) {
      if (down ? q[k] <= value : q[k] >= value) {
        if (k == 0 || q[k] == q[k - 1]) {
          return t[k];
        }
        return t[k - 1] + (t[k] - t[k - 1]) * (value - q[k - 1]) / (q[k] - q[k - 1]);
      }
    }
    return Double.NaN;
  }
}
