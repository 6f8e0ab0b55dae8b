package org.starling.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.starling.app.reproduce.ClaimReport;
import org.starling.app.reproduce.ClaimVerdict;
import org.starling.app.reproduce.RunData;
import org.starling.app.reproduce.RunVerdict;
import org.starling.core.experiment.Claim;
import org.starling.core.experiment.Claim.Beside;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;

/** Computes the runs of a claim and judges them. */
final class ClaimRuns {
  private final RunOnce once;
  private final Function<ClaimRun, ExperimentFile> files;

  /**
   * @param files the experiment as each of the runs of its claim
   */
  ClaimRuns(RunOnce once, Function<ClaimRun, ExperimentFile> files) {
    this.once = once;
    this.files = files;
  }

  /**
   * Computes what is not there, judges, draws and writes.
   *
   * @return null if a run was interrupted
   */
  ClaimVerdict judge(String entry, boolean quick, Path directory) {
    long began = System.nanoTime();
    long computing = 0;
    Claim claim = files.apply(new ClaimRun(ClaimRun.RUN, quick)).claim();
    if (claim == null) {
      throw new CommandException(
          ExitCode.USAGE,
          entry
              + " has no claim: block, so there is nothing to judge; `starling run` computes it, and"
              + " `starling reproduce --list` names experiments with a claim");
    }
    Map<String, List<Item>> verdicts = new LinkedHashMap<>();
    verdicts.put(ClaimRun.RUN, claim.verdict());
    for (Beside b : claim.beside()) {
      verdicts.put(b.name(), b.verdict());
    }
    verdicts.put(ClaimRun.CONTROL, claim.control().verdict());
    List<RunVerdict> judged = new ArrayList<>();
    for (Map.Entry<String, List<Item>> e : verdicts.entrySet()) {
      Path place = directory.resolve(e.getKey());
      ResolvedExperiment resolved = files.apply(new ClaimRun(e.getKey(), quick)).resolve();
      long start = System.nanoTime();
      int code = once.compute(resolved, place);
      if (code == ExitCode.STOPPED_EARLY) {
        once.stopped(place, "reproduce");
        return null;
      }
      computing += System.nanoTime() - start;
      try {
        judged.add(RunVerdict.of(e.getKey(), new RunData(place), e.getValue()));
      } catch (IllegalArgumentException problem) {
        throw new CommandException(
            ExitCode.USAGE, entry + ", " + e.getKey() + ": " + problem.getMessage());
      }
    }
    ClaimVerdict verdict =
        new ClaimVerdict(
            entry,
            claim,
            judged,
            (System.nanoTime() - began - computing) * 1e-9
                + judged.stream().mapToDouble(RunVerdict::seconds).sum());
    ClaimReport.write(verdict, directory);
    return verdict;
  }
}
