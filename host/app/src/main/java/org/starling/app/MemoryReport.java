package org.starling.app;

import java.util.Locale;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;

/** A memory plan in words, and the refusal of one that does not fit. */
final class MemoryReport {
  private MemoryReport() {}

  /**
   * Refuses a plan that does not fit, with the need, the limit and the largest n that would.
   *
   * @param device the device's id
   */
  static void require(MemoryPlan plan, Shape shape, String device) {
    if (plan.fits()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append(subject(shape))
        .append(" does not fit on ")
        .append(device)
        .append(": it needs ")
        .append(bytes(plan.totalBytes()))
        .append(" of memory, the limit is ")
        .append(bytes(plan.limitBytes()))
        .append('.');
    for (MemoryPlan.Item i : plan.items()) {
      if (i.bytes() > plan.allocationLimitBytes()) {
        text.append(
            String.format(
                Locale.ROOT,
                " The buffer \"%s\" alone has %s, the largest allowed is %s.",
                i.name(),
                bytes(i.bytes()),
                bytes(plan.allocationLimitBytes())));
        break;
      }
    }
    text.append(' ').append(largest(plan.largestN()));
    throw new CommandException(ExitCode.USAGE, text.toString());
  }

  /** The tokens of a run in words. */
  static String subject(Shape shape) {
    return "tokens.n = "
        + shape.n()
        + " with d = "
        + shape.d()
        + (shape.replicas() == 1 ? "" : " and " + shape.replicas() + " replicas");
  }

  /** The next step for too many tokens. */
  static String largest(int n) {
    return n > 0
        ? "The largest n that fits is " + n + " (--set tokens.n=" + n + ")."
        : "Not even n = 1 fits: make d or replicas smaller, or sweep fewer values.";
  }

  /** The plan as a table. */
  static String table(MemoryPlan plan) {
    StringBuilder text = new StringBuilder();
    for (MemoryPlan.Item i : plan.items()) {
      text.append(
          String.format(
              Locale.ROOT, "  %-28s %3d x %12s%n", i.name(), i.count(), bytes(i.bytes())));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "  %-28s       %12s = %.1f copies of the state, limit %s%n",
            "together",
            bytes(plan.totalBytes()),
            plan.stateCopies(),
            bytes(plan.limitBytes())));
    return text.toString();
  }

  /** A size with its unit. */
  static String bytes(long bytes) {
    if (bytes < 10_000) {
      return bytes + " B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 10_000 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  }
}
