package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.ClaimRun;

/**
 * The verdict on one run of a claim.
 *
 * @param name {@code run}, {@code control}, or that of a run beside
 * @param speed largest speed of a token at the end, over all replicas
 * @param seconds that computing the run took, now or before
 */
public record RunVerdict(
    String name, RunData data, List<Finding> findings, double speed, double seconds) {
  public RunVerdict {
    findings = List.copyOf(findings);
  }

  /**
   * Judges a run by its items.
   *
   * @throws IllegalArgumentException if one has no meaning in the run that the claim is about;
   *     elsewhere that is a miss
   */
  public static RunVerdict of(String name, RunData data, List<Item> items) {
    data.measure(items.stream().map(Item::quantity).toList());
    if (name.equals(ClaimRun.RUN)) {
      data.requireMeaning(items.stream().map(Item::quantity).toList());
    }
    double[] speeds = data.lastSpeeds();
    Judgement judgement = new Judgement(data.parameters(), speeds);
    List<Finding> findings = new ArrayList<>();
    for (Item item : items) {
      findings.add(judgement.of(item, data.series(item.quantity())));
    }
    return new RunVerdict(
        name, data, findings, Arrays.stream(speeds).max().orElse(Double.NaN), data.seconds());
  }

  /** All items together; undecided where the run ended before its time. */
  public Verdict verdict() {
    return !data.complete()
        ? Verdict.UNDECIDED
        : Verdict.all(findings.stream().map(Finding::verdict).toList());
  }
}
