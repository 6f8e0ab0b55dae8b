package org.starling.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.paths.run.PathStudies;
import org.starling.paths.theory.PathNetwork;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predictions of networks whose order parameters are found. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    description = {
      "Predict the test examples: accuracy, bias and variance with all paths, without single ones,"
          + " with chosen ones; spectra of the kernel and its overlaps with the task.",
      "Order parameters that are not in the run's directory yet are found first."
    })
final class PathsPredictCommand implements Callable<Integer> {
  private static final Pattern PATH = Pattern.compile("[0-9]+(-[0-9]+)*");

  private final Terminal terminal;

  @Mixin private PathsArgument argument;
  @Mixin private DeviceOption device;

  @Option(
      names = "--paths",
      paramLabel = "P,P",
      description =
          "Only these paths, each by its heads from 0, e.g. 0-0,1-0 for head 0 or 1 of the first"
              + " and head 0 of the second layer. Repeatable.")
  private List<String> paths = new ArrayList<>();

  PathsPredictCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PathsSession session = new PathsSession(terminal, argument, device);
    PathNetwork network = session.resolved().experiment().network();
    List<PathStudies.Selection> chosen = new ArrayList<>();
    for (String list : paths) {
      chosen.add(selection(list, network));
    }
    PathsFindings findings = new PathsFindings(terminal, argument, session.resolved());
    return session.run(
        (run, points, directory) -> findings.predictions(run, points, directory, chosen));
  }

  private static PathStudies.Selection selection(String list, PathNetwork network) {
    boolean[] kept = new boolean[network.paths()];
    for (String path : list.split(",", -1)) {
      Matcher m = PATH.matcher(path.strip());
      String[] heads = path.strip().split("-", -1);
      if (!m.matches() || heads.length != network.depth()) {
        throw new CommandException(
            ExitCode.USAGE,
            "--paths "
                + list
                + ": a path is a head for each of the "
                + network.depth()
                + " layers, joined by -, not "
                + path);
      }
      int index = 0;
      for (int l = 0; l < heads.length; l++) {
        int count = network.heads().get(l);
        int head = heads[l].length() > 6 ? count : Integer.parseInt(heads[l]);
        if (head >= count) {
          throw new CommandException(
              ExitCode.USAGE,
              "--paths " + list + ": layer " + (l + 1) + " has heads 0 to " + (count - 1));
        }
        index = index * count + head;
      }
      kept[index] = true;
    }
    return new PathStudies.Selection("only " + list, kept);
  }
}
