package org.starling.app.reproduce;

import java.util.List;
import org.starling.core.experiment.Claim;

/**
 * What testing a conjecture came to.
 *
 * @param parts the ensemble itself, those beside it, and last the control
 * @param seeds in words
 * @param seconds that computing all runs took, now or before, and judging them
 */
public record ConjectureVerdict(
    String entry, Claim claim, String seeds, List<ConjecturePart> parts, double seconds) {
  public ConjectureVerdict {
    parts = List.copyOf(parts);
  }

  /** How it ended. */
  public enum Outcome {
    NO_COUNTER_EXAMPLE,
    COUNTER_EXAMPLES,
    /** Not a single seed that agrees. */
    NOTHING_DECIDED,
    /** The control, which must disagree, does not: the test cannot tell. */
    BLUNT;

    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  List<ConjecturePart> own() {
    return parts.subList(0, parts.size() - 1);
  }

  ConjecturePart control() {
    return parts.get(parts.size() - 1);
  }

  long candidates() {
    return own().stream().mapToLong(ConjecturePart::candidates).sum();
  }

  public Outcome outcome() {
    if (candidates() > 0) {
      return Outcome.COUNTER_EXAMPLES;
    }
    if (own().stream().mapToLong(ConjecturePart::agree).sum() == 0) {
      return Outcome.NOTHING_DECIDED;
    }
    return control().candidates() == 0 ? Outcome.BLUNT : Outcome.NO_COUNTER_EXAMPLE;
  }

  /** The outcome in a sentence. */
  String sentence() {
    long agree = own().stream().mapToLong(ConjecturePart::agree).sum();
    long undecided = own().stream().mapToLong(ConjecturePart::undecided).sum();
    String counts = agree + " agree" + (undecided == 0 ? "" : ", " + undecided + " are undecided");
    return switch (outcome()) {
      case COUNTER_EXAMPLES ->
          candidates()
              + " candidate counter-examples stand at half the step and for longer; "
              + counts;
      case NO_COUNTER_EXAMPLE -> "no counter-example: " + counts;
      case NOTHING_DECIDED -> "nothing is decided: no seed agrees, none disagrees for good";
      case BLUNT -> counts + ", but so do all of the control, which must not: the test cannot tell";
    };
  }
}
