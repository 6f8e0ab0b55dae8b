package org.starling.app.figures;

import java.nio.file.Path;
import java.util.List;

/**
 * What drawing a run gave.
 *
 * @param written files, in the order they were written
 * @param skipped figures that could not be drawn, each with the reason
 */
public record FigureReport(List<Path> written, List<Skipped> skipped) {
  public FigureReport {
    written = List.copyOf(written);
    skipped = List.copyOf(skipped);
  }

  /**
   * A figure that could not be drawn.
   *
   * @param figure its name, which its files would have had
   * @param reason one sentence, with what to do where something can be done
   * @param failed whether its data are there; otherwise the run was not asked for them
   */
  public record Skipped(String figure, String reason, boolean failed) {}
}
