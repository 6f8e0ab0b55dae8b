package org.starling.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.app.device.Selection;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Storage;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.ModelSpec;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.experiment.SweepSpec;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;
import org.starling.core.model.Scheme;
import org.starling.core.run.Event;
import org.starling.core.run.RunResult;
import org.starling.core.verify.RowJudge;
import tools.jackson.databind.json.JsonMapper;

/** The last words of a run: what, on what, how long, how far to trust it, where the files are. */
final class RunSummary {
  private final Terminal terminal;
  private final ResolvedExperiment resolved;
  private final Path directory;

  RunSummary(Terminal terminal, ResolvedExperiment resolved, Path directory) {
    this.terminal = terminal;
    this.resolved = resolved;
    this.directory = directory;
  }

  /** What is computed, in a line. */
  static String title(ResolvedExperiment resolved) {
    ModelSpec m = resolved.experiment().model();
    int r = resolved.shape().replicas();
    return String.format(
        Locale.ROOT,
        "%s%d tokens, d = %d, %s, %s attention, %s%s, beta %s, %s to t = %s",
        r == 1 ? "" : r + " x ",
        resolved.shape().n(),
        resolved.shape().d(),
        lower(m.geometry()),
        mask(m.mask()),
        lower(m.normalisation()),
        (m.scheme().kind() == Scheme.Kind.POST ? "" : ", scheme " + lower(m.scheme().kind()))
            + (m.feedForward() == null ? "" : ", feed-forward"),
        beta(resolved.experiment()),
        resolved.integrator().method().label(),
        number(resolved.experiment().stop().t()));
  }

  /** The value, or the first and last one of a sweep. */
  private static String beta(Experiment e) {
    for (SweepSpec.Axis axis : e.sweep() == null ? List.<SweepSpec.Axis>of() : e.sweep().axes()) {
      if (axis.key().equals("model.beta")) {
        SweepSpec.Values v = axis.values();
        return number(v.at(0).doubleValue()) + " to " + number(v.at(v.size() - 1).doubleValue());
      }
    }
    return number(e.model().beta());
  }

  void ended(
      RunResult result,
      Selection selection,
      Precision precision,
      Trust trust,
      RowJudge check,
      RunOptions options) {
    if (options.json()) {
      json(result, selection, precision, trust, check);
    }
    String outcome = result.outcome().sentence();
    if (result.outcome().kind().exitCode() != 0) {
      terminal.say("starling: " + outcome);
    }
    if (options.json() || options.quiet()) {
      return;
    }
    line(title(resolved));
    if (resolved.experiment().sweep() != null) {
      line("  sweep    " + SweepText.of(resolved.experiment()));
    }
    line(
        "  on       "
            + selection.device().id()
            + " ("
            + selection.device().name()
            + "), "
            + Specification.word(precision)
            + " precision");
    line(
        String.format(
            Locale.ROOT,
            "  took     %s, %d steps (%d rejected), %d attention passes, %d reports",
            ProgressDisplay.duration(result.seconds()),
            result.steps(),
            result.rejected(),
            result.evaluations(),
            result.frames()));
    line("  summed   by " + result.summation().sentence());
    if (half()) {
      line("  stored   " + stored(trust, check));
    }
    line("  outcome  " + outcome);
    line("  trust    " + trust.sentence());
    line("           " + checked(check));
    if (result.merging() != null) {
      line(
          String.format(
              Locale.ROOT,
              "  merged   %d tokens stand as %d keys; largest distance from a key %.2g",
              (long) resolved.shape().replicas() * resolved.shape().n(),
              result.merging().groups(),
              result.merging().largestShift()));
    }
    if (!result.events().isEmpty()) {
      Event last = result.events().get(result.events().size() - 1);
      line(
          String.format(
              Locale.ROOT,
              "  events   %d noted in events.jsonl; last: %s at t = %.6g%s",
              result.events().size(),
              last.name(),
              last.t(),
              resolved.shape().replicas() == 1 ? "" : " in replica " + last.replica()));
    }
    FieldReport f = result.report();
    if (f.belowRange() > 0) {
      line("           " + f.belowRange() + " times a speed was below the range of this precision");
    }
    if (f.beyondStorage() > 0) {
      line("           " + f.beyondStorageSentence());
    }
    if (f.belowStorage() > 0) {
      line("           " + belowStorage(f));
    }
    if (f.deadRows() > 0) {
      line("           " + f.deadRows() + " times a token had no key to see (velocity 0)");
    }
    line("  files    " + directory);
  }

  private boolean half() {
    return resolved.experiment().execution().storage() == Storage.HALF;
  }

  /**
   * What the rounding of keys and values costs: as this run met it, else as the certificate has.
   */
  private static String stored(Trust trust, RowJudge check) {
    Map<String, Object> met = check == null ? Map.of() : check.storageError();
    if (!met.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "keys and values as half; error of half storage: median %.1e, worst %.1e of a token's own"
              + " speed (%d rows)",
          number(met, "median").doubleValue(),
          number(met, "worst").doubleValue(),
          number(met, "rows").longValue());
    }
    return trust.facts().get("error_of_half_storage") instanceof Map<?, ?> known
        ? String.format(
            Locale.ROOT,
            "keys and values as half; error of half storage: median %.1e, worst %.1e of a token's"
                + " own speed on the certificate's states, not measured in this run",
            number(known, "median").doubleValue(),
            number(known, "worst").doubleValue())
        : "keys and values as half; error of half storage: NOT measured";
  }

  private static Number number(Map<?, ?> facts, String name) {
    return (Number) facts.get(name);
  }

  /** Tokens that half holds badly, in words. */
  static String belowStorage(FieldReport f) {
    return f.belowStorage()
        + " times a token had all its coordinates below 2^-14, where half has fewer digits (the"
        + " first: token "
        + f.firstBelowStorage()
        + ")";
  }

  private static String checked(RowJudge check) {
    if (check == null) {
      return "no check against the reference during the run";
    }
    return check.summary();
  }

  private void json(
      RunResult result, Selection selection, Precision precision, Trust trust, RowJudge check) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("run_id", resolved.id());
    facts.put("directory", directory.toString());
    facts.put("outcome", result.outcome().kind().label());
    facts.put("sentence", result.outcome().sentence());
    facts.put("exit_code", result.outcome().kind().exitCode());
    facts.put("t", result.outcome().time());
    facts.put("steps", result.steps());
    facts.put("rejected", result.rejected());
    facts.put("evaluations", result.evaluations());
    facts.put("reports", result.frames());
    facts.put("seconds", result.seconds());
    facts.put("device", selection.device().id());
    facts.put("engine", selection.device().engine());
    facts.put("precision", Specification.word(precision));
    facts.put("certificate", trust.facts());
    facts.put("row_checks", check == null ? 0 : check.checks());
    facts.put("row_check_worst_share", check == null ? null : check.worstShare());
    facts.put("summation", result.summation().facts());
    if (result.merging() != null) {
      facts.put("merged_groups", result.merging().groups());
      facts.put("merged_largest_shift", result.merging().largestShift());
    }
    if (half()) {
      facts.put("error_of_half_storage", check == null ? Map.of() : check.storageError());
      facts.put("beyond_storage", result.report().beyondStorage());
      facts.put("below_storage", result.report().belowStorage());
    }
    facts.put("below_range", result.report().belowRange());
    facts.put("dead_rows", result.report().deadRows());
    terminal.out().println(JsonMapper.builder().build().writeValueAsString(facts));
  }

  private void line(String text) {
    terminal.out().println(text);
  }

  private static String lower(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  private static String mask(Mask mask) {
    if (mask.equals(Mask.FULL)) {
      return "full";
    }
    StringBuilder text = new StringBuilder();
    if (mask.causal() && mask.alibi() == 0) {
      text.append("causal ");
    }
    if (mask.alibi() > 0) {
      text.append("alibi ").append(number(mask.alibi())).append(' ');
    }
    if (mask.window() != Mask.NONE) {
      text.append("window ").append(mask.window()).append(' ');
    }
    if (mask.gaps()) {
      text.append("first ").append(mask.first()).append(' ');
    }
    if (mask.prefix() != Mask.NONE) {
      text.append("prefix ").append(mask.prefix()).append(' ');
    }
    return text.toString().strip();
  }

  /** A number without needless decimals. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
