package org.starling.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.analysis.predict.Hypothesis;
import org.starling.analysis.predict.Hypothesis.Answer;
import org.starling.analysis.predict.Judgement;
import org.starling.analysis.predict.Prediction;
import org.starling.core.experiment.ResolvedExperiment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Judged statements as text or JSON.
 *
 * @param complete whether statements that do not apply are shown with all their hypotheses
 */
record PredictionReport(
    ResolvedExperiment resolved,
    List<Judgement> statements,
    List<Prediction> limits,
    boolean complete) {

  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "", RunSummary.title(resolved));
    if (resolved.shape().replicas() > 1) {
      line(
          text,
          "",
          "what follows is about the first of its " + resolved.shape().replicas() + " replicas");
    }
    section(text, Answer.HOLDS, "applies");
    section(text, Answer.OPEN, "may apply: a hypothesis cannot be told before the run");
    section(text, Answer.FAILS, "does not apply");
    List<String> others = statements.stream().filter(j -> !j.about()).map(Judgement::id).toList();
    if (!others.isEmpty()) {
      line(text, "", "");
      line(text, "", "about other models: " + String.join(", ", others));
    }
    if (!limits.isEmpty()) {
      line(text, "", "");
      line(text, "", "limits");
      limits.forEach(p -> line(text, "  ", p.text()));
    }
    return text.toString();
  }

  private void section(StringBuilder text, Answer answer, String title) {
    List<Judgement> those =
        statements.stream().filter(j -> j.about() && j.applies() == answer).toList();
    if (those.isEmpty()) {
      return;
    }
    line(text, "", "");
    line(text, "", title);
    for (Judgement j : those) {
      line(text, "  ", j.id() + ": " + j.title());
      line(text, "    ", word(j.kind()) + " | " + j.source());
      boolean all = answer != Answer.FAILS || complete;
      for (Hypothesis h : j.hypotheses()) {
        if (all || h.answer() == Answer.FAILS) {
          line(
              text,
              "    ",
              String.format(Locale.ROOT, "%-6s%s [%s]", word(h.answer()), h.text(), h.measured()));
        }
      }
      for (Prediction p : j.predictions()) {
        line(text, "    ", "=> " + p.quantity() + ": " + p.text());
      }
    }
  }

  private static void line(StringBuilder text, String indent, String words) {
    text.append(indent).append(words).append(System.lineSeparator());
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  String json() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("format", "starling-predict/1");
    root.put("experiment", resolved.id());
    root.put("replicas", resolved.shape().replicas());
    List<Map<String, Object>> list = new ArrayList<>();
    for (Judgement j : statements) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", j.id());
      one.put("kind", word(j.kind()));
      one.put("title", j.title());
      one.put("source", j.source());
      one.put("about", j.about());
      one.put("applies", word(j.applies()));
      one.put(
          "hypotheses",
          j.hypotheses().stream()
              .map(
                  h ->
                      Map.of(
                          "text", h.text(), "measured", h.measured(), "answer", word(h.answer())))
              .toList());
      one.put("predictions", predictions(j.predictions()));
      list.add(one);
    }
    root.put("statements", list);
    root.put("limits", predictions(limits));
    return JsonMapper.builder().build().writeValueAsString(root) + System.lineSeparator();
  }

  private static List<Map<String, Object>> predictions(List<Prediction> all) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (Prediction p : all) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("quantity", p.quantity());
      one.put("text", p.text());
      one.put("value", finite(p.value()));
      list.add(one);
    }
    return list;
  }

  /** JSON has no infinities: such a number is left out, its text says it. */
  private static Object finite(Object value) {
    return value instanceof Double d && !Double.isFinite(d) ? null : value;
  }
}
