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
    text.append(
        String.format(
            Locale.ROOT,
            "tokens.n = %d with d = %d and %d replica%s does not fit on %s: it needs %s of memory,"
                + " the limit is %s.",
            shape.n(),
            shape.d(),
            shape.replicas(),
            shape.replicas() == 1 ? "" : "s",
            device,
            bytes(plan.totalBytes()),
            bytes(plan.limitBytes())));
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
    text.append(
        plan.largestN() > 0
            ? " The largest n that fits is "
                + plan.largestN()
                + " (--set tokens.n="
                + plan.largestN()
                + ")."
            : " Not even n = 1 fits: make d or replicas smaller.");
    throw new CommandException(ExitCode.USAGE, text.toString());
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
