package org.starling.app.reproduce;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.app.figures.PaperFigures;
import org.starling.app.figures.PaperFigures.Bar;
import org.starling.core.experiment.Claim;
import org.starling.core.store.FileStore;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Tells what testing a conjecture came to: on the terminal, as a page, as JSON, as figures. */
public final class ConjectureReport {
  private static final List<String> KINDS =
      List.of("agree", "agree at the second look", "undecided", "candidates", "outside");

  private ConjectureReport() {}

  /** Writes figures, {@code conjecture.json} and {@code report.md}. */
  public static void write(ConjectureVerdict verdict, Path directory) {
    Path folder = directory.resolve("figures");
    List<String> figures = new ArrayList<>(List.of("counts"));
    new PaperFigures(folder, verdict.parts().get(0).data().path())
        .bars(
            "counts",
            verdict.claim().title() + ": seeds that agree, and those that do not",
            KINDS,
            verdict.parts().stream()
                .map(p -> new Bar(p.name() + (p.control() ? " (must not agree)" : ""), counts(p)))
                .toList());
    List<RunVerdict> runs = new ArrayList<>();
    verdict.parts().forEach(p -> runs.add(RunVerdict.of(p.name(), p.data(), p.items())));
    figures.addAll(
        new ClaimFigures(
                new ClaimVerdict(verdict.entry(), verdict.claim(), runs, verdict.seconds()), folder)
            .draw());
    FileStore store = FileStore.disk();
    String json =
        JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(facts(verdict));
    store.replace(
        directory.resolve("conjecture.json"), (json + "\n").getBytes(StandardCharsets.UTF_8));
    store.replace(
        directory.resolve("report.md"),
        page(verdict, directory, figures).getBytes(StandardCharsets.UTF_8));
  }

  private static double[] counts(ConjecturePart p) {
    return new double[] {
      p.count(SeedVerdict.AGREES),
      p.secondCount(SeedVerdict.AGREES),
      p.undecided(),
      p.candidates(),
      p.count(SeedVerdict.OUTSIDE)
    };
  }

  // --- JSON ---

  /** In one line. */
  public static String json(ConjectureVerdict verdict) {
    return JsonMapper.builder().build().writeValueAsString(facts(verdict));
  }

  private static Map<String, Object> facts(ConjectureVerdict v) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("conjecture", v.entry());
    facts.put("title", v.claim().title());
    facts.put("source", v.claim().source());
    facts.put("statement", v.claim().statement());
    facts.put("outcome", v.outcome().word());
    facts.put("sentence", v.sentence());
    facts.put("seeds", v.seeds());
    facts.put("seconds", v.seconds());
    facts.put("parts", v.parts().stream().map(ConjectureReport::facts).toList());
    return facts;
  }

  private static Map<String, Object> facts(ConjecturePart p) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("part", p.name());
    one.put("run_id", p.data().resolved().id());
    one.put("replicas", p.first().length);
    one.put("outside", p.count(SeedVerdict.OUTSIDE));
    one.put("agree", p.count(SeedVerdict.AGREES));
    one.put("agree_at_the_second_look", p.secondCount(SeedVerdict.AGREES));
    one.put("undecided", p.undecided());
    one.put("not_looked_at_again", p.unlooked());
    one.put("candidates", p.candidates());
    one.put("disagreement_below", p.candidates() == 0 && p.agree() > 0 ? p.bound() : null);
    List<Map<String, Object>> looked = new ArrayList<>();
    for (int k = 0; k < p.looked().length; k++) {
      Map<String, Object> seed = new LinkedHashMap<>();
      int r = p.looked()[k];
      seed.put("seed", p.data().resolved().seed(r));
      seed.put("parameters", p.data().parameters().get(r));
      seed.put("first", p.first()[r].word());
      seed.put("measured", finite(p.measured(r)));
      seed.put("again", p.second()[k].word());
      seed.put("measured_again", finite(p.measuredAgain(k)));
      seed.put("largest_speed_at_end", finite(p.speedAgain(k)));
      seed.put("file", p.files()[k] == null ? null : p.files()[k].toString());
      looked.add(seed);
    }
    one.put("looked_at_again", looked);
    return one;
  }

  /** JSON has no infinity and no NaN: absent. */
  private static Double finite(double v) {
    return Double.isFinite(v) ? v : null;
  }

  // --- text ---

  /** Lines for a person. */
  public static String text(ConjectureVerdict v, Path directory) {
    StringBuilder s = new StringBuilder();
    line(s, "%s: %s", v.entry(), v.sentence());
    line(s, "  %s (%s)", v.claim().title(), v.claim().source());
    line(s, "  %s", v.seeds());
    for (ConjecturePart p : v.parts()) {
      line(s, "  %s: %s", p.name(), sentence(p));
      for (int k = 0; k < p.looked().length; k++) {
        if (!p.control() && p.second()[k] != SeedVerdict.AGREES) {
          line(s, "    %s", looked(p, k));
        }
      }
    }
    line(s, "  took %.1f s; report, figures: %s", v.seconds(), directory);
    return s.toString();
  }

  private static void line(StringBuilder s, String format, Object... values) {
    s.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }

  private static String sentence(ConjecturePart p) {
    StringBuilder s = new StringBuilder();
    s.append(p.first().length).append(" replicas: ").append(p.agree()).append(" agree");
    long late = p.secondCount(SeedVerdict.AGREES);
    s.append(late == 0 ? "" : " (" + late + " of them at the second look)");
    s.append(", ").append(p.candidates());
    s.append(p.control() ? " disagree" : " are candidate counter-examples");
    s.append(p.undecided() == 0 ? "" : ", " + p.undecided() + " are undecided");
    s.append(p.unlooked() == 0 ? "" : " (" + p.unlooked() + " of them not looked at again)");
    long outside = p.count(SeedVerdict.OUTSIDE);
    s.append(outside == 0 ? "" : ", " + outside + " are outside the hypotheses");
    if (!p.control() && p.candidates() == 0 && p.undecided() == 0 && p.agree() > 0) {
      s.append("; disagreement is rarer than ");
      s.append(Judgement.number(100 * p.bound())).append(" % with a confidence of 95 %");
    }
    if (p.control()) {
      s.append(p.candidates() > 0 ? ", as it must" : ", BUT SOME MUST");
    }
    return s.toString();
  }

  private static String looked(ConjecturePart p, int k) {
    int r = p.looked()[k];
    return (p.second()[k] == SeedVerdict.DISAGREES ? "candidate: " : "still moving: ")
        + p.words(r)
        + ": "
        + Judgement.number(p.measured(r))
        + ", then "
        + Judgement.number(p.measuredAgain(k))
        + ", largest speed "
        + Judgement.number(p.speedAgain(k))
        + (p.files()[k] == null ? "" : "; starling run " + p.files()[k]);
  }

  // --- page ---

  private static String page(ConjectureVerdict v, Path directory, List<String> figures) {
    StringBuilder s = new StringBuilder();
    s.append("# ").append(v.claim().title()).append("\n\n");
    s.append(v.claim().source()).append("\n\n").append(v.claim().statement().strip());
    s.append("\n\nOutcome: **").append(v.outcome().word()).append("**. ").append(v.sentence());
    s.append(". ")
        .append(v.seeds())
        .append(String.format(Locale.ROOT, ". Took %.1f s.%n%n", v.seconds()));
    for (ConjecturePart p : v.parts()) {
      s.append("## ").append(p.name()).append("\n\n");
      String what = ClaimReport.what(v.claim(), p.name());
      s.append(what.isEmpty() ? "" : what + "\n\n").append(sentence(p)).append(".\n\n");
      s.append("Asked: ");
      s.append(
          String.join(
              "; ",
              p.items().stream()
                  .map(
                      i ->
                          i.quantity().text()
                              + ", "
                              + Judgement.words(i.at())
                              + ", "
                              + Judgement.range(i))
                  .toList()));
      s.append(".\n\n");
      if (p.looked().length > 0) {
        s.append("| seed | first | measured | second look | measured | largest speed | file |\n");
        s.append("|---|---|---|---|---|---|---|\n");
      }
      for (int k = 0; k < p.looked().length; k++) {
        int r = p.looked()[k];
        Path file = p.files()[k];
        s.append("| ").append(p.words(r)).append(" | ").append(p.first()[r].word()).append(" | ");
        s.append(Judgement.number(p.measured(r))).append(" | ").append(p.second()[k].word());
        s.append(" | ").append(Judgement.number(p.measuredAgain(k))).append(" | ");
        s.append(Judgement.number(p.speedAgain(k))).append(" | ");
        s.append(file == null ? "" : "`" + directory.relativize(file) + "`").append(" |\n");
      }
      s.append(p.looked().length > 0 ? "\n" : "");
    }
    for (String figure : figures) {
      s.append("![").append(figure).append("](figures/").append(figure).append(".png)\n\n");
    }
    return s.toString();
  }

  /** Lines that begin an experiment file of a seed that does not agree. */
  public static String header(String entry, Claim claim, ConjecturePart p, int k) {
    int r = p.looked()[k];
    return "# "
        + (p.second()[k] == SeedVerdict.DISAGREES ? "Candidate counter-example" : "Undecided seed")
        + " of the conjecture "
        + entry
        + " ("
        + claim.source()
        + "):\n# "
        + p.words(r)
        + " of its part "
        + p.name()
        + ". Asked: "
        + p.items().get(0).quantity().text()
        + " "
        + Judgement.range(p.items().get(0))
        + ";\n# measured "
        + Judgement.number(p.measured(r))
        + ", and "
        + Judgement.number(p.measuredAgain(k))
        + " with the settings of this file, half the step and a longer time.\n";
  }
}
