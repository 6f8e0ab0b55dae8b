package org.starling.analysis.predict;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.predict.Hypothesis.Answer;

/**
 * A statement of a paper held against an experiment.
 *
 * @param id short name
 * @param kind how sure it is
 * @param title what it says, in a line
 * @param source where it is from
 * @param about whether it speaks of such a model at all
 * @param hypotheses looked at one by one
 * @param predictions what it says about the run; none where a hypothesis fails
 */
public record Judgement(
    String id,
    Kind kind,
    String title,
    String source,
    boolean about,
    List<Hypothesis> hypotheses,
    List<Prediction> predictions) {

  /** How sure a statement is. */
  public enum Kind {
    THEOREM,
    CONJECTURE,
    /** A closed form that is exact for the model. */
    EXACT,
    /** Seen in experiments, or derived by linearisation. */
    OBSERVATION
  }

  /** HOLDS where it applies, FAILS where it does not, OPEN where that cannot be told. */
  public Answer applies() {
    boolean open = false;
    for (Hypothesis h : hypotheses) {
      if (h.answer() == Answer.FAILS) {
        return Answer.FAILS;
      }
      open |= h.answer() == Answer.OPEN;
    }
    return !about ? Answer.FAILS : open ? Answer.OPEN : Answer.HOLDS;
  }

  static Builder of(String id, Kind kind, String title, String source) {
    return new Builder(id, kind, title, source);
  }

  /** Collects hypotheses, then predictions. */
  static final class Builder {
    private final String id;
    private final Kind kind;
    private final String title;
    private final String source;
    private boolean about = true;
    private final List<Hypothesis> hypotheses = new ArrayList<>();
    private final List<Prediction> predictions = new ArrayList<>();

    private Builder(String id, Kind kind, String title, String source) {
      this.id = id;
      this.kind = kind;
      this.title = title;
      this.source = source;
    }

    /** Whether the statement speaks of such a model at all. */
    Builder about(boolean yes) {
      about = yes;
      return this;
    }

    Builder needs(String text, String measured, boolean holds) {
      return needs(text, measured, holds ? Answer.HOLDS : Answer.FAILS);
    }

    Builder needs(String text, String measured, Answer answer) {
      hypotheses.add(new Hypothesis(text, measured, answer));
      return this;
    }

    Builder needs(Hypothesis h) {
      hypotheses.add(h);
      return this;
    }

    /** Whether no hypothesis fails so far: what follows may then be computed. */
    boolean possible() {
      return about && hypotheses.stream().noneMatch(h -> h.answer() == Answer.FAILS);
    }

    Builder predict(String quantity, String text, Object value) {
      predictions.add(new Prediction(quantity, text, value));
      return this;
    }

    Judgement done() {
      return new Judgement(
          id,
          kind,
          title,
          source,
          about,
          List.copyOf(hypotheses),
          possible() ? List.copyOf(predictions) : List.of());
    }
  }
}
