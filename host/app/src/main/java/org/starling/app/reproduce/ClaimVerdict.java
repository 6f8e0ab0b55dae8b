package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.Claim;

/**
 * The verdict on a claim.
 *
 * @param runs the run itself, those beside it, and last the control
 * @param seconds that computing all runs took, now or before, and judging them
 */
public record ClaimVerdict(String entry, Claim claim, List<RunVerdict> runs, double seconds) {
  public ClaimVerdict {
    runs = List.copyOf(runs);
  }

  /** Whether the claim holds in the run and those beside it. */
  public Verdict verdict() {
    List<Verdict> parts = new ArrayList<>();
    runs.subList(0, runs.size() - 1).forEach(r -> parts.add(r.verdict()));
    return Verdict.all(parts);
  }

  public RunVerdict control() {
    return runs.get(runs.size() - 1);
  }

  /** Whether the claim holds and the control fails. */
  public boolean expected() {
    return verdict() == Verdict.HOLDS && control().verdict() == Verdict.FAILS;
  }
}
