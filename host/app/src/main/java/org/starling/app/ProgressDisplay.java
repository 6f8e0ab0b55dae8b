package org.starling.app;

import java.util.Locale;
import org.starling.core.run.Progress;
import org.starling.core.run.ProgressListener;

/** Progress on the error stream: a bar where a person watches, a line now and then elsewhere. */
final class ProgressDisplay implements ProgressListener {
  private static final int WIDTH = 30;
  private static final long LINE_NANOS = 10_000_000_000L;

  private final Terminal terminal;
  private final boolean quiet;
  private long lastLine = System.nanoTime();
  private boolean barShown;

  ProgressDisplay(Terminal terminal, boolean quiet) {
    this.terminal = terminal;
    this.quiet = quiet;
  }

  @Override
  public void progress(Progress p) {
    if (quiet) {
      return;
    }
    if (terminal.interactive()) {
      terminal.err().printf("\r%-79s", bar(p.fraction()) + " " + numbers(p));
      terminal.err().flush();
      barShown = true;
      if (p.outcome() != null) {
        endBar();
      }
    } else if (p.outcome() == null && System.nanoTime() - lastLine >= LINE_NANOS) {
      lastLine = System.nanoTime();
      terminal.say(String.format(Locale.ROOT, "%3.0f %% ", 100 * p.fraction()) + numbers(p));
    }
  }

  @Override
  public void message(String sentence) {
    if (quiet) {
      return;
    }
    endBar();
    terminal.say(sentence);
  }

  private void endBar() {
    if (barShown) {
      terminal.err().println();
      barShown = false;
    }
  }

  private static String bar(double fraction) {
    int full = (int) Math.round(WIDTH * Math.max(0, Math.min(1, fraction)));
    return "["
        + "#".repeat(full)
        + "-".repeat(WIDTH - full)
        + "]"
        + String.format(Locale.ROOT, "%4.0f %%", 100 * fraction);
  }

  private static String numbers(Progress p) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(Locale.ROOT, "t = %.4g of %.4g, %d steps", p.t(), p.tEnd(), p.steps()));
    if (p.stepsPerSecond() > 0) {
      text.append(String.format(Locale.ROOT, ", %.3g/s", p.stepsPerSecond()));
    }
    if (p.outcome() == null && !Double.isNaN(p.secondsLeft())) {
      text.append(", ").append(duration(p.secondsLeft())).append(" left");
    }
    return text.toString();
  }

  /** A duration in the two units that matter. */
  static String duration(double seconds) {
    if (seconds < 100) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    long s = Math.round(seconds);
    return s < 6000
        ? s / 60 + " min " + s % 60 + " s"
        : s < 172_800 ? s / 3600 + " h " + s % 3600 / 60 + " min" : s / 86_400 + " days";
  }
}
