package org.starling.core.run;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

/**
 * When a run reports. Time 0 and the end are always among the times; the times before the end do
 * not depend on it, so that a run can be extended.
 */
public final class OutputTimes {
  /** More reports than this are a mistake in the experiment. */
  private static final int MOST = 20_000_000;

  /** Time number k = 1, 2, ...; infinite where there is none. */
  private interface Sequence {
    double at(int k);
  }

  private final Sequence sequence;

  private OutputTimes(Sequence sequence) {
    this.sequence = sequence;
  }

  /**
   * At k * interval. The product is taken of the interval's shortest decimal form, so that 3 * 0.1
   * is 0.3.
   *
   * @param interval &gt; 0
   */
  public static OutputTimes every(double interval) {
    require(interval > 0 && interval < Double.POSITIVE_INFINITY, "interval", interval);
    BigDecimal exact = BigDecimal.valueOf(interval);
    return new OutputTimes(k -> exact.multiply(BigDecimal.valueOf(k)).doubleValue());
  }

  /**
   * At {@code count} times from {@code from} to {@code to}, equally spaced in log t.
   *
   * @param from &gt; 0
   * @param to &gt; from
   * @param count &gt;= 2
   */
  public static OutputTimes logSpaced(double from, double to, int count) {
    require(from > 0, "first time", from);
    require(to > from && to < Double.POSITIVE_INFINITY, "last time", to);
    require(count >= 2, "count", count);
    double ratio = Math.log(to / from) / (count - 1);
    return new OutputTimes(
        k ->
            k > count
                ? Double.POSITIVE_INFINITY
                : k == count ? to : from * StrictMath.exp(ratio * (k - 1)));
  }

  /** At the times given, strictly ascending, not negative. */
  public static OutputTimes at(List<Double> times) {
    double[] copy = times.stream().mapToDouble(Double::doubleValue).filter(t -> t != 0).toArray();
    for (int k = 0; k < copy.length; k++) {
      require(copy[k] > (k == 0 ? 0 : copy[k - 1]), "time number " + (k + 1), copy[k]);
    }
    return new OutputTimes(k -> k > copy.length ? Double.POSITIVE_INFINITY : copy[k - 1]);
  }

  /** At the start and the end only. */
  public static OutputTimes endsOnly() {
    return new OutputTimes(k -> Double.POSITIVE_INFINITY);
  }

  private static void require(boolean holds, String what, double value) {
    if (!holds) {
      throw new IllegalArgumentException("output times: " + what + " cannot be " + value);
    }
  }

  /**
   * All times of a run: 0, those of the sequence before the end, the end.
   *
   * @throws IllegalArgumentException if there are more than 20 million
   */
  double[] until(double end) {
    double[] times = new double[64];
    int count = 1;
    for (int k = 1; ; k++) {
      double t = sequence.at(k);
      if (!(t < end)) {
        break;
      }
      // Log-spaced times can coincide by rounding.
      if (t > times[count - 1]) {
        if (count >= MOST) {
          throw new IllegalArgumentException(
              "more than " + MOST + " output times before t = " + end + "; save less often");
        }
        if (count + 1 >= times.length) {
          times = Arrays.copyOf(times, 2 * times.length);
        }
        times[count++] = t;
      }
    }
    times[count++] = end;
    return Arrays.copyOf(times, count);
  }
}
