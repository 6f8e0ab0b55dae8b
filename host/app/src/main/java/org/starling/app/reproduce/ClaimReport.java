package org.starling.app.reproduce;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.experiment.Claim;
import org.starling.core.store.FileStore;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Tells what judging a claim came to: on the terminal, as a page, as JSON. */
public final class ClaimReport {
  private static final int MOST_VALUES = 1000;

  private static final String LIST = "%-24s %7s  %s%n%33s  %s%n";

  private ClaimReport() {}

  /** Writes figures, {@code verdict.json} and {@code report.md}. */
  public static void write(ClaimVerdict verdict, Path directory) {
    List<String> figures = new ClaimFigures(verdict, directory.resolve("figures")).draw();
    FileStore store = FileStore.disk();
    store.replace(
        directory.resolve("verdict.json"),
        (indented(facts(verdict)) + "\n").getBytes(StandardCharsets.UTF_8));
    store.replace(
        directory.resolve("report.md"), page(verdict, figures).getBytes(StandardCharsets.UTF_8));
  }

  // --- JSON ---

  /** One line for the list. */
  public static String listed(String entry, Claim claim) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", entry);
    facts.put("title", claim.title());
    facts.put("source", claim.source());
    facts.put("statement", claim.statement());
    facts.put("minutes", claim.minutes());
    return JsonMapper.builder().build().writeValueAsString(facts);
  }

  /** The head of a list of claims. */
  public static String listHead(String what) {
    return String.format(Locale.ROOT, LIST, "NAME", "MINUTES", what, "", "SOURCE");
  }

  /** The two lines of an entry in a list: minutes that it takes, title and source. */
  public static String listLines(String entry, Claim claim) {
    String minutes = Judgement.number(claim.minutes());
    return String.format(Locale.ROOT, LIST, entry, minutes, claim.title(), "", claim.source());
  }

  /** The verdict in one line. */
  public static String json(ClaimVerdict verdict) {
    return JsonMapper.builder().build().writeValueAsString(facts(verdict));
  }

  private static String indented(Map<String, Object> facts) {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .build()
        .writeValueAsString(facts);
  }

  private static Map<String, Object> facts(ClaimVerdict v) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("entry", v.entry());
    facts.put("title", v.claim().title());
    facts.put("source", v.claim().source());
    facts.put("statement", v.claim().statement());
    facts.put("verdict", v.verdict().word());
    facts.put("control", v.control().verdict().word());
    facts.put("as_expected", v.expected());
    facts.put("seconds", v.seconds());
    List<Map<String, Object>> runs = new ArrayList<>();
    for (RunVerdict run : v.runs()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("run", run.name());
      one.put("run_id", run.data().resolved().id());
      one.put("verdict", run.verdict().word());
      one.put("complete", run.data().complete());
      one.put("seeds", run.data().replicas());
      one.put("largest_speed_at_end", finite(run.speed()));
      one.put("seconds", run.seconds());
      one.put("measurements", run.findings().stream().map(ClaimReport::facts).toList());
      runs.add(one);
    }
    facts.put("runs", runs);
    return facts;
  }

  private static Map<String, Object> facts(Finding f) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("quantity", f.item().quantity().text());
    one.put("taken", Judgement.words(f.item().at()));
    one.put("over", Judgement.words(f.item().over()));
    if (!f.item().where().isEmpty()) {
      one.put("where", f.item().where());
    }
    if (!f.item().note().isEmpty()) {
      one.put("note", f.item().note());
    }
    one.put("measured", finite(f.measured()));
    one.put("expected_low", finite(f.item().low()));
    one.put("expected_high", finite(f.item().high()));
    one.put("verdict", f.verdict().word());
    List<Object> values = new ArrayList<>();
    for (int k = 0; k < Math.min(f.values().length, MOST_VALUES); k++) {
      values.add(finite(f.values()[k]));
    }
    one.put("values", values);
    return one;
  }

  /** JSON has no infinity and no NaN: absent. */
  private static Double finite(double v) {
    return Double.isFinite(v) ? v : null;
  }

  // --- text ---

  /** Lines for a person. */
  public static String text(ClaimVerdict v, Path directory) {
    StringBuilder s = new StringBuilder();
    s.append(
        String.format(
            Locale.ROOT,
            "%s: %s%n  %s (%s)%n",
            v.entry(),
            v.verdict().word().toUpperCase(Locale.ROOT),
            v.claim().title(),
            v.claim().source()));
    for (RunVerdict run : v.runs()) {
      boolean control = run == v.control();
      s.append(
          String.format(
              Locale.ROOT,
              "  %s: %s%s%n",
              run.name(),
              run.verdict().word(),
              control
                  ? run.verdict() == Verdict.FAILS ? ", as it must" : ", BUT IT MUST FAIL"
                  : ""));
      for (Finding f : run.findings()) {
        s.append("    ").append(line(f)).append(none(run, f)).append(System.lineSeparator());
      }
      if (!run.data().complete()) {
        s.append("    the run ended before its time, so that nothing is decided");
        s.append(System.lineSeparator());
      }
      s.append("    largest speed at the end ").append(Judgement.number(run.speed()));
      s.append(System.lineSeparator());
    }
    s.append(
        String.format(Locale.ROOT, "  took %.1f s; report, figures: %s%n", v.seconds(), directory));
    return s.toString();
  }

  /** Why a quantity has no value, if it has none. */
  private static String none(RunVerdict run, Finding f) {
    RunData.Missing missing = run.data().missing(f.item().quantity());
    return missing == null
        ? ""
        : " (no value in "
            + missing.replicas()
            + " of "
            + run.data().replicas()
            + " replicas: "
            + missing.reason()
            + ")";
  }

  private static String where(Finding f) {
    return String.join(
        ", ",
        f.item().where().entrySet().stream()
            .map(e -> e.getKey() + " = " + Judgement.number(e.getValue()))
            .sorted()
            .toList());
  }

  private static String line(Finding f) {
    String where = f.item().where().isEmpty() ? "" : " where " + where(f);
    boolean each = f.item().over() instanceof Claim.Over.Each;
    String spread =
        f.values().length > 1
            ? " ("
                + Judgement.number(f.smallest())
                + " to "
                + Judgement.number(f.largest())
                + (each ? ", " + f.fulfilled() + " of " + f.values().length + " seeds" : "")
                + ")"
            : "";
    return f.verdict().word()
        + ": "
        + f.item().quantity().text()
        + ", "
        + Judgement.words(f.item().at())
        + ", "
        + Judgement.words(f.item().over())
        + where
        + ": "
        + Judgement.number(f.measured())
        + spread
        + ", expected "
        + Judgement.range(f.item());
  }

  /**
   * All verdicts, one a line.
   *
   * @param entries how many there should be
   */
  public static String table(List<ClaimVerdict> verdicts, int entries) {
    StringBuilder s = new StringBuilder();
    String format = "%-28s %-10s %-10s %8s  %s%n";
    s.append(
        String.format(Locale.ROOT, format, "ENTRY", "VERDICT", "CONTROL", "SECONDS", "MEASURED"));
    int good = 0;
    for (ClaimVerdict v : verdicts) {
      Finding first = v.runs().get(0).findings().get(0);
      good += v.expected() ? 1 : 0;
      s.append(
          String.format(
              Locale.ROOT,
              format,
              v.entry(),
              v.verdict().word(),
              v.control().verdict().word(),
              String.format(Locale.ROOT, "%.1f", v.seconds()),
              first.item().quantity().measure().label()
                  + " "
                  + Judgement.number(first.measured())
                  + ", expected "
                  + Judgement.range(first.item())
                  + (v.expected() ? "" : "   <- not as expected")));
    }
    s.append(good).append(" of ").append(entries).append(" as expected");
    return s.append(System.lineSeparator()).toString();
  }

  // --- page ---

  private static String page(ClaimVerdict v, List<String> figures) {
    StringBuilder s = new StringBuilder();
    s.append("# ").append(v.claim().title()).append("\n\n");
    s.append(v.claim().source()).append("\n\n");
    s.append(v.claim().statement().strip()).append("\n\n");
    s.append("Verdict: **").append(v.verdict().word()).append("**; control: ");
    s.append(v.control().verdict().word()).append(v.expected() ? ", as it must. " : ". ");
    s.append(String.format(Locale.ROOT, "Took %.1f s.%n%n", v.seconds()));
    for (RunVerdict run : v.runs()) {
      s.append("## ").append(run.name()).append(": ").append(run.verdict().word()).append("\n\n");
      String what = what(v.claim(), run.name());
      s.append(what.isEmpty() ? "" : what + "\n\n");
      s.append(
          "| quantity | taken | over | expected | measured | smallest | largest | verdict |\n");
      s.append("|---|---|---|---|---|---|---|---|\n");
      for (Finding f : run.findings()) {
        s.append(
            String.join(
                " | ",
                "| "
                    + f.item().quantity().text()
                    + (f.item().note().isEmpty() ? "" : ": " + f.item().note()),
                Judgement.words(f.item().at()),
                Judgement.words(f.item().over())
                    + (f.item().where().isEmpty() ? "" : " where " + where(f)),
                Judgement.range(f.item()),
                Judgement.number(f.measured()),
                Judgement.number(f.smallest()),
                Judgement.number(f.largest()),
                f.verdict().word() + " |\n"));
      }
      s.append("\n").append(run.data().replicas()).append(" seeds; largest speed at the end ");
      s.append(Judgement.number(run.speed())).append("; run ").append(run.data().resolved().id());
      s.append(" in `").append(run.name()).append("/`.\n\n");
    }
    for (String figure : figures) {
      s.append("![").append(figure).append("](figures/").append(figure).append(".png)\n\n");
    }
    return s.toString();
  }

  static String what(Claim claim, String run) {
    if (run.equals("control")) {
      return claim.control().what() + " (" + changes(claim.control().changes()) + ")";
    }
    return claim.beside().stream()
        .filter(b -> b.name().equals(run))
        .map(b -> b.what() + " (" + changes(b.changes()) + ")")
        .findFirst()
        .orElse("");
  }

  private static String changes(List<Claim.Change> changes) {
    return String.join(", ", changes.stream().map(c -> "`" + c + "`").toList());
  }
}
