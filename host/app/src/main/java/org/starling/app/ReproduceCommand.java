package org.starling.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.starling.app.reproduce.ClaimReport;
import org.starling.app.reproduce.ClaimVerdict;
import org.starling.app.reproduce.Gallery;
import org.starling.core.experiment.Claim;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Computes figures, theorems and conjectures of the papers, and says whether they hold. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "Compute a figure, theorem or conjecture of the papers and say whether it holds.",
      "An entry is an experiment with a claim: quantities with the range expected of them, and a"
          + " control in which they must fail. It leaves run/, control/, figures/, verdict.json and"
          + " report.md; what is finished is not computed again.",
      "Exit code 0 if the claim holds and its control fails, else 4."
    })
final class ReproduceCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description =
          "An entry of --list, or an experiment file with a claim; several are told in a table.")
  private List<String> names = new ArrayList<>();

  @Option(names = "--list", description = "List the entries.")
  private boolean list;

  @Option(names = "--all", description = "All entries, with a table at the end.")
  private boolean all;

  @Option(
      names = "--gallery",
      paramLabel = "DIR",
      description = "The entries named, or all, and a page of their figures in this folder.")
  private Path gallery;

  @Option(names = "--quick", description = "The smaller settings of each entry.")
  private boolean quick;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Change a key of the experiment, e.g. --set model.beta=4. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Mixin private DeviceOption device;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The entry's directory (of several the folder of all). Default: runs/<name>-<id>.")
  private Path out;

  @Option(names = "--no-certify", description = "Do not measure the device first.")
  private boolean noCertify;

  @Option(names = "--force", description = "Compute again what is there.")
  private boolean force;

  @Option(names = "--json", description = "A JSON object a claim on standard output.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress; the verdicts alone.")
  private boolean quiet;

  ReproduceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    boolean named = !names.isEmpty();
    boolean every = all || gallery != null && !named;
    if ((named ? 1 : 0) + (list ? 1 : 0) + (every ? 1 : 0) != 1 || list && gallery != null) {
      throw new CommandException(
          ExitCode.USAGE,
          "give the names of entries, or --all, with --gallery DIR for a page of them; or --list");
    }
    if (list) {
      return list();
    }
    return every || gallery != null || names.size() > 1
        ? several(every ? Examples.claims() : names)
        : one(names.get(0), place(names.get(0))).code();
  }

  // --- the list ---

  private int list() throws IOException {
    if (!json) {
      terminal.out().print(ClaimReport.listHead("CLAIM"));
    }
    for (String entry : Examples.claims()) {
      Claim claim = read(entry, new ClaimRun(ClaimRun.RUN, false)).claim();
      if (json) {
        terminal.out().println(ClaimReport.listed(entry, claim));
      } else {
        terminal.out().print(ClaimReport.listLines(entry, claim));
      }
    }
    return ExitCode.DONE;
  }

  // --- entries ---

  private record Outcome(int code, ClaimVerdict verdict, Path directory) {}

  private ExperimentFile read(String entry, ClaimRun run) throws IOException {
    List<String> all = new ArrayList<>(overrides);
    if (device.asksForReference(terminal)) {
      all.add("execution.device=reference");
    }
    return ExperimentArgument.read(terminal, entry, all, run);
  }

  private Path place(String entry) throws IOException {
    if (out != null) {
      return terminal.resolve(out);
    }
    String id = read(entry, new ClaimRun(ClaimRun.RUN, quick)).resolve().id();
    return RunSession.defaultDirectory(terminal, ExperimentArgument.name(entry), id);
  }

  private Outcome one(String entry, Path directory) throws IOException {
    RunOptions options = RunOptions.partOfAnother(!noCertify, quiet || json);
    ClaimRuns runs =
        new ClaimRuns(new RunOnce(terminal, device, options, force), run -> readOf(entry, run));
    ClaimVerdict verdict = runs.judge(ExperimentArgument.name(entry), quick, directory);
    if (verdict == null) {
      return new Outcome(ExitCode.STOPPED_EARLY, null, directory);
    }
    if (json) {
      terminal.out().println(ClaimReport.json(verdict));
    } else {
      terminal.out().print(ClaimReport.text(verdict, directory));
    }
    return new Outcome(verdict.expected() ? ExitCode.DONE : ExitCode.NUMERICAL, verdict, directory);
  }

  private ExperimentFile readOf(String entry, ClaimRun run) {
    try {
      return read(entry, run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int several(List<String> entries) throws IOException {
    Path folder =
        gallery != null ? terminal.resolve(gallery) : out == null ? null : terminal.resolve(out);
    List<ClaimVerdict> verdicts = new ArrayList<>();
    List<Gallery.Card> cards = new ArrayList<>();
    boolean good = true;
    for (String entry : entries) {
      Path directory =
          folder == null ? place(entry) : folder.resolve(ExperimentArgument.name(entry));
      Outcome outcome;
      try {
        outcome = one(entry, directory);
      } catch (RuntimeException e) {
        // The others are judged all the same.
        Failures.report(e, terminal);
        terminal.say(entry + " was not judged");
        good = false;
        continue;
      }
      if (outcome.code() == ExitCode.STOPPED_EARLY) {
        return outcome.code();
      }
      good &= outcome.code() == ExitCode.DONE;
      verdicts.add(outcome.verdict());
      cards.add(new Gallery.Card(outcome.verdict(), directory, command(entry)));
    }
    if (!json) {
      terminal.out().print(ClaimReport.table(verdicts, entries.size()));
    }
    if (gallery != null) {
      Files.createDirectories(folder);
      Path page = Gallery.write(folder, cards);
      terminal.say("gallery: " + page);
    }
    return good ? ExitCode.DONE : ExitCode.NUMERICAL;
  }

  private String command(String entry) {
    StringBuilder s = new StringBuilder("./starling reproduce ").append(entry);
    s.append(quick ? " --quick" : "");
    overrides.forEach(change -> s.append(" --set '").append(change).append('\''));
    return s.toString();
  }
}
