package org.starling.core.experiment;

import java.util.List;
import java.util.Map;

/**
 * What an experiment is said to show, and how that is judged: the block {@code claim}. It decides
 * nothing about the run itself.
 *
 * @param source paper, theorem or figure
 * @param statement what is claimed, in a sentence or two
 * @param minutes time that judging it takes, about
 * @param given what the statement supposes: a seed that misses one of these is left out
 * @param verdict what must be measured, at least one
 * @param control where the same must not be found
 * @param beside other runs that belong to the claim, each with a verdict of its own
 * @param quick changes for a smaller run
 * @param again what a second look at seeds that do not agree changes, beside the halved step
 * @param figures what is drawn
 */
public record Claim(
    String title,
    String source,
    String statement,
    double minutes,
    List<Item> given,
    List<Item> verdict,
    Control control,
    List<Beside> beside,
    List<Change> quick,
    List<Change> again,
    List<FigureCall> figures) {
  public Claim {
    given = List.copyOf(given);
    again = List.copyOf(again);
    verdict = List.copyOf(verdict);
    beside = List.copyOf(beside);
    quick = List.copyOf(quick);
    figures = List.copyOf(figures);
  }

  /** A quantity with its parameters, defaults filled in: numbers or words. */
  public record QuantityCall(Measure measure, Map<String, Object> parameters) {
    public QuantityCall {
      parameters = Map.copyOf(parameters);
    }

    public double number(String name) {
      return (Double) parameters.get(name);
    }

    public String word(String name) {
      return (String) parameters.get(name);
    }

    /** In words: the name, and the parameters in brackets but for those that change nothing. */
    public String text() {
      StringBuilder s = new StringBuilder();
      for (Measure.Parameter p : measure.parameters()) {
        Object v = parameters.get(p.name());
        if (p.nothing(v)) {
          continue;
        }
        String shown = v instanceof Double d ? YamlNumbers.text(d) : String.valueOf(v);
        s.append(s.isEmpty() ? "" : ", ").append(p.name()).append(' ').append(shown);
      }
      return measure.label() + (s.isEmpty() ? "" : " (" + s + ")");
    }
  }

  /** What is taken of a quantity that changes in time. */
  public sealed interface At {
    /** Its value at the last frame. */
    record End() implements At {}

    /** Its value at the frame nearest to t. */
    record Time(double t) implements At {}

    /** Its largest or smallest value on [from, to]. */
    record Extreme(boolean largest, double from, double to) implements At {}

    /** Its mean over the frames of [from, to]. */
    record Mean(double from, double to) implements At {}

    /** The largest rise, or the largest fall, from a frame to the next on [from, to]. */
    record Step(boolean rise, double from, double to) implements At {}

    /**
     * The slope of a straight line through the frames of [from, to], by least squares.
     *
     * @param logTime whether against ln t
     * @param logValue whether of ln q
     */
    record Slope(boolean logTime, boolean logValue, double from, double to) implements At {}

    /** The slope of ln q against t over the frames where q lies in [low, high]. */
    record RateWithin(double low, double high) implements At {}

    /** The first time at which q is at or beyond a value, by linear interpolation. */
    record Reaches(double value) implements At {}
  }

  /** How the seeds are taken together. */
  public sealed interface Over {
    /** Each must fulfil the comparison, or this fraction of them. */
    record Each(double atLeast) implements Over {}

    /** A statistic of them must. */
    record Statistic(Kind kind) implements Over {}

    /**
     * The slope of the mean over seeds against a swept parameter must.
     *
     * @param logValue whether of the logarithm of the mean
     * @param logParameter whether against the logarithm of the parameter
     */
    record Against(String key, boolean logValue, boolean logParameter) implements Over {}

    /** A statistic. */
    enum Kind {
      MEAN,
      MEDIAN,
      P10,
      P90,
      SMALLEST,
      LARGEST
    }
  }

  /**
   * One measurement that must come out as stated.
   *
   * @param low and
   * @param high bounds of what is expected, both included; infinite for none
   * @param where values of swept parameters that choose replicas; all where empty
   * @param settled where a replica misses the range while its largest speed at the end is above
   *     this, the outcome is undecided: the tokens still move. Infinite where that says nothing.
   */
  public record Item(
      QuantityCall quantity,
      At at,
      Over over,
      double low,
      double high,
      Map<String, Double> where,
      double settled,
      String note) {
    public Item {
      where = Map.copyOf(where);
    }
  }

  /**
   * A key of the experiment with its new value.
   *
   * @param value as YAML
   */
  public record Change(String key, String value) {
    @Override
    public String toString() {
      return key + "=" + value;
    }
  }

  /**
   * The negative control.
   *
   * @param what it is, in a sentence
   * @param changes that make it
   * @param quick further changes in a quick run
   * @param verdict that must fail; that of the claim unless given
   */
  public record Control(String what, List<Change> changes, List<Change> quick, List<Item> verdict) {
    public Control {
      changes = List.copyOf(changes);
      quick = List.copyOf(quick);
      verdict = List.copyOf(verdict);
    }
  }

  /** A run beside the main one. */
  public record Beside(
      String name, String what, List<Change> changes, List<Change> quick, List<Item> verdict) {
    public Beside {
      changes = List.copyOf(changes);
      quick = List.copyOf(quick);
      verdict = List.copyOf(verdict);
    }
  }

  /**
   * A figure.
   *
   * @param quantity what a curve or a map shows; null for figures of another kind
   * @param times of the panels; empty for a few spread over the run
   * @param against the swept parameter; null for none
   * @param run whose frames are drawn: {@code run}, {@code control} or a run beside
   */
  public record FigureCall(
      Kind kind,
      QuantityCall quantity,
      List<Double> times,
      String against,
      boolean logX,
      boolean logY,
      String run) {
    /** What it looks like. */
    public enum Kind {
      /** Tokens at a few times. */
      TOKENS,
      /** Tokens at a few times with their convex hull, its vertices and the leaders. */
      HULL,
      /** Tokens at a few times with the level lines of the leading left eigenvector. */
      LEVELS,
      /** Tokens of every run of the claim at the end, side by side. */
      ATLAS,
      /** Paths of the tokens. */
      PATHS,
      /** Lifted angles on the circle against time, with births and mergings of clusters. */
      LINEAGE,
      /** A quantity against time: mean, tenth and ninetieth percentile over seeds. */
      CURVE,
      /** A quantity at the end against a swept parameter. */
      AGAINST,
      /** A quantity over time and a swept parameter. */
      MAP,
      /** Attention matrices at a few times. */
      ATTENTION
    }

    public FigureCall {
      times = List.copyOf(times);
    }
  }
}
