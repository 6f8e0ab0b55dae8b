package org.starling.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.starling.app.figures.AttentionSource;
import org.starling.app.figures.FigureOptions;
import org.starling.app.figures.FigureReport;
import org.starling.app.figures.Figures;
import org.starling.core.engine.Engine;
import org.starling.cpu.reference.ReferenceEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** Draws a run. */
@Command(
    name = "plot",
    mixinStandardHelpOptions = true,
    description = {
      "Draw the figures of a run into its folder figures/.",
      "Each as PNG and SVG, its data as CSV. The run may still be going on."
    })
final class PlotCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "DIR", description = "The run's directory.")
  private Path directory;

  @Option(
      names = "--times",
      split = ",",
      paramLabel = "T",
      description = "Times of the token panels, e.g. 0,1,20. Default: six spread over the frames.")
  private List<Double> times = new ArrayList<>();

  @Option(
      names = "--attention-times",
      split = ",",
      paramLabel = "T",
      description = "Times of the attention matrices. Default: the first and the last frame.")
  private List<Double> attentionTimes = new ArrayList<>();

  @Option(names = "--width", paramLabel = "INCHES", description = "Width: ${DEFAULT-VALUE}.")
  private double width = FigureOptions.DEFAULT_WIDTH;

  @Option(names = "--dpi", paramLabel = "N", description = "PNG resolution: ${DEFAULT-VALUE}.")
  private int dpi = FigureOptions.DEFAULT_DPI;

  @Option(names = "--json", description = "A JSON object on standard output, for programs.")
  private boolean json;

  PlotCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    FigureReport report;
    try (Engine engine = new ReferenceEngine()) {
      report = Figures.draw(terminal.resolve(directory), options(AttentionSource.of(engine)));
    }
    if (json) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("written", report.written().stream().map(Path::toString).toList());
      facts.put("skipped", report.skipped());
      terminal.out().println(JsonMapper.builder().build().writeValueAsString(facts));
      return ExitCode.DONE;
    }
    report.written().forEach(p -> terminal.out().println(p));
    report.skipped().forEach(s -> terminal.say("no figure " + s.figure() + ": " + s.reason()));
    return ExitCode.DONE;
  }

  private FigureOptions options(AttentionSource attention) {
    try {
      return new FigureOptions(times, attentionTimes, width, dpi, attention);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, e.getMessage());
    }
  }

  /** Names of the figures drawn, without endings. */
  static String names(FigureReport report) {
    TreeSet<String> names = new TreeSet<>();
    for (Path p : report.written()) {
      String file = p.getFileName().toString();
      if (file.endsWith(".png")) {
        names.add(file.substring(0, file.length() - 4));
      }
    }
    return names.isEmpty() ? "none" : String.join(", ", names) + " (in figures/)";
  }
}
