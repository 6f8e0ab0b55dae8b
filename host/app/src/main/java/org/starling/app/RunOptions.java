package org.starling.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of the commands that compute a run. */
final class RunOptions {
  private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(s|m|h|d)?");

  @Option(
      names = "--walltime",
      paramLabel = "T",
      description =
          "Stop with a checkpoint within this time (90s, 30m, 2h, 1d; seconds without a unit);"
              + " exit code 75.")
  private String walltime;

  @Option(
      names = "--no-certify",
      description = "Do not measure the device first; the run is marked as not certified.")
  private boolean noCertify;

  @Option(names = "--no-figures", description = "Draw no figures at the end.")
  private boolean noFigures;

  @Option(names = "--json", description = "A JSON object on standard output, for programs.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress and no summary.")
  private boolean quiet;

  /** Whether the run tells of itself at its end. */
  private boolean summary = true;

  /** Of runs that belong to another command, which tells of them and draws them itself. */
  static RunOptions partOfAnother(boolean certify, boolean quiet) {
    RunOptions options = new RunOptions();
    options.noCertify = !certify;
    options.noFigures = true;
    options.quiet = quiet;
    options.summary = false;
    return options;
  }

  boolean summary() {
    return summary;
  }

  boolean certify() {
    return !noCertify;
  }

  boolean figures() {
    return !noFigures;
  }

  boolean json() {
    return json;
  }

  boolean quiet() {
    return quiet;
  }

  /**
   * Seconds that the session may take.
   *
   * @param experiment the experiment's own limit, or null
   */
  double walltimeSeconds(Double experiment) {
    if (walltime == null) {
      return experiment == null ? Double.POSITIVE_INFINITY : experiment;
    }
    Matcher m = DURATION.matcher(walltime);
    double value = m.matches() ? Double.parseDouble(m.group(1)) : 0;
    if (!(value > 0)) {
      throw new CommandException(
          ExitCode.USAGE,
          "--walltime " + walltime + ": write a time > 0 such as 90s, 30m, 2h or 1d");
    }
    String unit = m.group(2) == null ? "s" : m.group(2);
    return value * (unit.equals("s") ? 1 : unit.equals("m") ? 60 : unit.equals("h") ? 3600 : 86400);
  }
}
