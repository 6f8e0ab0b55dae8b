package org.starling.app.figures;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A scale along one edge of a panel.
 *
 * @param label what is measured; empty for none
 * @param low smallest value, at the left or lower end
 * @param high largest value, at the other end
 * @param log whether equal ratios take equal lengths; then {@code low} &gt; 0
 * @param reversed whether {@code high} stands at the left or lower end
 */
record Axis(String label, double low, double high, boolean log, boolean reversed) {
  /**
   * @param value where it stands
   * @param text empty for a minor tick
   */
  record Tick(double value, String text) {}

  Axis {
    if (!(low < high) || Double.isInfinite(low) || Double.isInfinite(high) || log && low <= 0) {
      throw new IllegalArgumentException("no axis from " + low + " to " + high);
    }
  }

  Axis(String label, double low, double high, boolean log) {
    this(label, low, high, log, false);
  }

  static Axis linear(String label, double low, double high) {
    return new Axis(label, low, high, false);
  }

  /** This axis with its largest value at the lower end, as the rows of a matrix are counted. */
  Axis downwards() {
    return new Axis(label, low, high, log, true);
  }

  /** A linear axis that holds the finite values with a margin. */
  static Axis around(String label, double... values) {
    double[] range = range(List.of(values));
    double low = range[0];
    double high = range[1];
    if (!(low <= high)) {
      return linear(label, 0, 1);
    }
    // A constant gets a range of its own size: rounding noise is not blown up to a curve.
    double least = 1e-6 * Math.max(Math.abs(low), Math.abs(high));
    double margin = high - low > least ? 0.06 * (high - low) : Math.max(0.1 * Math.abs(high), 0.1);
    return linear(label, low - margin, high + margin);
  }

  /**
   * An axis that holds the finite values with a margin, logarithmic if all are positive and the
   * largest is more than {@code ratio} times the smallest.
   */
  static Axis fitting(String label, double ratio, List<double[]> values) {
    double[] range = range(values);
    return range[0] > 0 && range[1] / range[0] > ratio
        ? new Axis(label, range[0] / 1.3, range[1] * 1.3, true)
        : around(label, range);
  }

  /** Smallest and largest finite value; infinite the wrong way round if there is none. */
  static double[] range(List<double[]> values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] some : values) {
      for (double v : some) {
        if (Double.isFinite(v)) {
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
      }
    }
    return new double[] {low, high};
  }

  /**
   * Position between the ends, 0 to 1; beyond for values outside, NaN for those without a place.
   */
  double fraction(double value) {
    double fraction =
        log
            ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
            : (value - low) / (high - low);
    return reversed ? 1 - fraction : fraction;
  }

  /** Ticks within the ends, at most about {@code most} with text. */
  List<Tick> ticks(int most) {
    return log && high / low > 3 ? decades(most) : steps(most);
  }

  private List<Tick> steps(int most) {
    double raw = (high - low) / Math.max(1, most);
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = 10 * power;
    for (double f : new double[] {1, 2, 2.5, 5}) {
      if (f * power >= raw * (1 - 1e-9)) {
        step = f * power;
        break;
      }
    }
    List<Tick> ticks = new ArrayList<>();
    double slack = 1e-9 * (high - low);
    for (double k = Math.ceil((low - slack) / step); k * step <= high + slack; k++) {
      ticks.add(new Tick(k * step, text(k * step, step)));
    }
    return ticks;
  }

  private List<Tick> decades(int most) {
    int first = (int) Math.floor(Math.log10(low) + 1e-9);
    int last = (int) Math.ceil(Math.log10(high) - 1e-9);
    int each = 1 + (last - first) / Math.max(1, most);
    boolean few = last - first <= 2;
    List<Tick> ticks = new ArrayList<>();
    for (int p = first; p <= last; p++) {
      for (int m = 1; m <= 9; m++) {
        double v = m * Math.pow(10, p);
        if (v < low * (1 - 1e-9) || v > high * (1 + 1e-9)) {
          continue;
        }
        if (few && (m == 1 || m == 2 || m == 5)) {
          ticks.add(new Tick(v, text(v, v)));
        } else if (m == 1) {
          ticks.add(new Tick(v, Math.floorMod(p, each) == 0 ? power(p) : ""));
        } else if (each == 1) {
          ticks.add(new Tick(v, ""));
        }
      }
    }
    return ticks;
  }

  private static String power(int p) {
    return p == 0 ? "1" : p == 1 ? "10" : "10" + superscript(p);
  }

  private static String superscript(int p) {
    StringBuilder s = new StringBuilder();
    for (char c : Integer.toString(p).toCharArray()) {
      s.append(
          c == '-'
              ? '\u207b'
              : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".charAt(c - '0'));
    }
    return s.toString();
  }

  /** A number with the digits that tell ticks a step apart. */
  private static String text(double value, double step) {
    if (Math.abs(value) < step * 1e-9) {
      return "0";
    }
    int decimals = 1 - (int) Math.floor(Math.log10(step));
    if (Math.abs(value) >= 1e5 || step < 1e-4) {
      int p = (int) Math.floor(Math.log10(Math.abs(value)) + 1e-12);
      String m = plain(value / Math.pow(10, p), Math.max(0, decimals + p));
      return (m.equals("1") ? "" : m.equals("\u22121") ? "\u2212" : m + "\u00b7")
          + "10"
          + superscript(p);
    }
    return plain(value, Math.max(0, decimals));
  }

  private static String plain(double value, int decimals) {
    BigDecimal rounded =
        BigDecimal.valueOf(value).setScale(Math.min(decimals, 12), RoundingMode.HALF_EVEN);
    String s = rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    return s.replace('-', '\u2212');
  }

  /** A number for a label, rounded to four significant digits. */
  static String brief(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : Double.toString(value);
    }
    double size = Math.abs(value);
    if (size >= 1e5 || size < 1e-3) {
      int p = (int) Math.floor(Math.log10(size));
      return plain(value / Math.pow(10, p), 2) + "\u00b710" + superscript(p);
    }
    return plain(value, 3 - (int) Math.floor(Math.log10(size)));
  }
}
