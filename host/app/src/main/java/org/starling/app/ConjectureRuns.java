package org.starling.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.starling.app.reproduce.ConjecturePart;
import org.starling.app.reproduce.ConjectureReport;
import org.starling.app.reproduce.ConjectureVerdict;
import org.starling.app.reproduce.RunData;
import org.starling.app.reproduce.SeedVerdict;
import org.starling.core.experiment.Claim;
import org.starling.core.experiment.Claim.Beside;
import org.starling.core.experiment.Claim.Change;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.store.FileStore;

/**
 * Computes the ensembles of a conjecture, looks again at what does not agree, and keeps what still
 * does not as experiment files.
 */
final class ConjectureRuns {
  /** The second look goes on for so many times as long. */
  private static final double LONGER = 4;

  /** Tolerances that halve the steps of a method of order 5. */
  private static final double HALF_STEP = 32;

  /** Of the control it is enough that some disagree. */
  private static final int CONTROL = 8;

  private static final double LEAST_TOLERANCE = 1e-14;

  private final RunOnce once;
  private final Function<ClaimRun, ExperimentFile> files;
  private final int most;

  /**
   * @param files the experiment as each of the runs of its claim
   * @param most replicas of an ensemble that are looked at again
   */
  ConjectureRuns(RunOnce once, Function<ClaimRun, ExperimentFile> files, int most) {
    this.once = once;
    this.files = files;
    this.most = most;
  }

  /**
   * Computes what is not there, judges, draws and writes.
   *
   * @return null if a run was interrupted
   */
  ConjectureVerdict test(String entry, boolean quick, Path directory) {
    long began = System.nanoTime();
    Claim claim = files.apply(new ClaimRun(ClaimRun.RUN, quick)).claim();
    if (claim == null) {
      throw new CommandException(
          ExitCode.USAGE,
          entry
              + " has no claim: block, which says what a seed must show;"
              + " `starling conjecture --list` names experiments that have one");
    }
    Map<String, List<Item>> asked = new LinkedHashMap<>();
    asked.put(ClaimRun.RUN, claim.verdict());
    for (Beside b : claim.beside()) {
      asked.put(b.name(), b.verdict());
    }
    asked.put(ClaimRun.CONTROL, claim.control().verdict());
    List<ConjecturePart> parts = new ArrayList<>();
    double known = 0;
    long computing = 0;
    for (Map.Entry<String, List<Item>> e : asked.entrySet()) {
      ResolvedExperiment resolved = files.apply(new ClaimRun(e.getKey(), quick)).resolve();
      boolean control = e.getKey().equals(ClaimRun.CONTROL);
      long start = System.nanoTime();
      RunData data = run(resolved, directory.resolve(e.getKey()));
      computing += System.nanoTime() - start;
      if (data == null) {
        return null;
      }
      // The control has other weights on purpose.
      List<Item> given = control ? List.of() : claim.given();
      ConjecturePart part = judged(entry, e.getKey(), data, given, e.getValue());
      int[] open = part.open(control ? Math.min(most, CONTROL) : most);
      if (open.length > 0) {
        start = System.nanoTime();
        RunData again = run(again(data, claim, open), directory.resolve("again-" + e.getKey()));
        computing += System.nanoTime() - start;
        if (again == null) {
          return null;
        }
        part = part.looked(open, again, places(data, again, open));
        known += again.seconds();
        if (!control) {
          keep(entry, claim, part, directory);
        }
      }
      known += data.seconds();
      parts.add(part);
    }
    ConjectureVerdict verdict =
        new ConjectureVerdict(
            entry,
            claim,
            seeds(parts.get(0).data()),
            parts,
            (System.nanoTime() - began - computing) * 1e-9 + known);
    ConjectureReport.write(verdict, directory);
    return verdict;
  }

  private static ConjecturePart judged(
      String entry, String name, RunData data, List<Item> given, List<Item> items) {
    try {
      return ConjecturePart.of(name, data, given, items);
    } catch (IllegalArgumentException problem) {
      throw new CommandException(ExitCode.USAGE, entry + ", " + name + ": " + problem.getMessage());
    }
  }

  /** Null if it was interrupted. */
  private RunData run(ResolvedExperiment resolved, Path place) {
    if (once.compute(resolved, place) == ExitCode.STOPPED_EARLY) {
      once.stopped(place, "conjecture");
      return null;
    }
    return new RunData(place);
  }

  private static String seeds(RunData data) {
    long[] all = seedsOf(data).toArray();
    String values =
        all.length == 1 ? "seed " + all[0] : "seeds " + all[0] + " to " + all[all.length - 1];
    return all.length > 1 && all[all.length - 1] - all[0] != all.length - 1
        ? "seeds " + Arrays.stream(all).mapToObj(Long::toString).collect(Collectors.joining(", "))
        : values;
  }

  private static LongStream seedsOf(RunData data) {
    return IntStream.range(0, data.replicas())
        .mapToLong(r -> data.resolved().seed(r))
        .distinct()
        .sorted();
  }

  // --- the second look ---

  private static ExperimentFile changed(ResolvedExperiment resolved, List<String> changes) {
    return ExperimentFile.parse(
        "the second look", resolved.yaml(), Path.of("").toAbsolutePath(), changes);
  }

  /** The seeds of these replicas, at half the step and for longer. */
  private static ResolvedExperiment again(RunData data, Claim claim, int[] open) {
    ResolvedExperiment resolved = data.resolved();
    IntegratorSpec steps = resolved.integrator();
    List<String> changes = new ArrayList<>();
    if (steps.method().adaptive()) {
      changes.add("integrator.rtol=" + Math.max(LEAST_TOLERANCE, steps.rtol() / HALF_STEP));
      changes.add("integrator.atol=" + Math.max(LEAST_TOLERANCE, steps.atol() / HALF_STEP));
    } else if (steps.method() != Method.LAYERS) {
      // The step of layers belongs to the model.
      changes.add("integrator.dt=" + steps.dt() / 2);
    }
    changes.add("stop.t=" + LONGER * resolved.experiment().stop().t());
    for (Change change : claim.again()) {
      changes.add(change.toString());
    }
    if (resolved.experiment().sweep() != null) {
      String seeds =
          Arrays.stream(open)
              .mapToObj(r -> Long.toString(resolved.seed(r)))
              .distinct()
              .collect(Collectors.joining(", "));
      changes.add("sweep.seed=[" + seeds + "]");
    }
    return changed(resolved, changes).resolve();
  }

  /** Where the replicas of a run are in the second one. */
  private static int[] places(RunData data, RunData again, int[] open) {
    int[] places = new int[open.length];
    for (int k = 0; k < open.length; k++) {
      for (int r = 0; r < again.replicas(); r++) {
        if (again.resolved().seed(r) == data.resolved().seed(open[k])
            && again.parameters().get(r).equals(data.parameters().get(open[k]))) {
          places[k] = r;
        }
      }
    }
    return places;
  }

  // --- files ---

  private static void keep(String entry, Claim claim, ConjecturePart part, Path directory) {
    for (int k = 0; k < part.looked().length; k++) {
      if (part.second()[k] == SeedVerdict.AGREES) {
        continue;
      }
      RunData again = part.again();
      int r = part.place()[k];
      List<String> changes = new ArrayList<>(List.of("sweep=null"));
      changes.add("seed=" + again.resolved().seed(r));
      again.parameters().get(r).forEach((key, value) -> changes.add(key + "=" + value));
      String text =
          ConjectureReport.header(entry, claim, part, k)
              + changed(again.resolved(), changes).resolve().yaml();
      Path folder = directory.resolve("candidates");
      FileStore.disk().createDirectories(folder);
      String name =
          (part.name() + " " + part.words(part.looked()[k])).replaceAll("[^A-Za-z0-9.]+", "-");
      Path file = folder.resolve(name + ".yaml");
      FileStore.disk().replace(file, text.getBytes(StandardCharsets.UTF_8));
      part.files()[k] = file;
    }
  }
}
