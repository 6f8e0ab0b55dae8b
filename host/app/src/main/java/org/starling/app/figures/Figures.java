package org.starling.app.figures;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.starling.app.doctor.EnvironmentFault;
import org.starling.core.store.FileStore;

/** Draws the figures of a run into its directory. */
public final class Figures {
  static {
    // Pictures are painted in memory; a display that cannot be reached must not matter.
    if (System.getProperty("java.awt.headless") == null) {
      System.setProperty("java.awt.headless", "true");
    }
  }

  private static final List<Figure> ALL =
      List.of(
          new TokensFigure(),
          new ScalarsFigure(),
          new ObservablesFigure(),
          new InnerProductsFigure(),
          new AttentionFigure(),
          new SpectrumFigure());

  /** Replicas of different parameters have no common picture but this one. */
  private static final List<Figure> OF_SWEEPS = List.of(new PhaseDiagramFigure());

  private Figures() {}

  /**
   * Draws every figure that the files of a run allow: {@code figures/NAME.png}, {@code .svg} and
   * the data as {@code .csv}, replacing older ones. No lock is taken, so the run may be going on. A
   * figure whose data are missing is skipped with the reason, and its old files are deleted;
   * without fonts the data are written all the same.
   *
   * @param runDirectory directory of the run
   * @throws org.starling.core.store.StoreException if it is not a run, a file is damaged, or
   *     writing fails
   * @throws org.starling.core.experiment.ExperimentException if its experiment cannot be read
   */
  public static FigureReport draw(Path runDirectory, FigureOptions options) {
    RunFiles run = RunFiles.open(runDirectory);
    FigureWriter writer = new FigureWriter(options, Caption.of(run));
    FileStore store = FileStore.disk();
    Path folder = runDirectory.resolve("figures");
    store.createDirectories(folder);
    String fonts = missingFonts();
    List<Path> written = new ArrayList<>();
    List<FigureReport.Skipped> skipped = new ArrayList<>();
    boolean swept = run.replicas() > 1 && SweepGrid.parameters(run) > 0;
    for (Figure figure : swept ? OF_SWEEPS : ALL) {
      List<Path> files = new ArrayList<>();
      try {
        Figure.Drawing drawing = figure.prepare(run, options);
        if (fonts == null) {
          files.add(put(store, folder, figure.name() + ".png", writer.png(drawing)));
          files.add(put(store, folder, figure.name() + ".svg", writer.svg(drawing)));
        } else {
          skipped.add(new FigureReport.Skipped(figure.name(), fonts, true));
        }
        for (DataFile data : drawing.data()) {
          files.add(put(store, folder, figure.name() + data.suffix(), data.content()));
        }
      } catch (MissingData e) {
        skipped.add(new FigureReport.Skipped(figure.name(), e.getMessage(), e.failed()));
      }
      deleteOthers(store, folder, figure, files);
      written.addAll(files);
    }
    return new FigureReport(written, skipped);
  }

  private static Path put(FileStore store, Path folder, String name, byte[] content) {
    Path file = folder.resolve(name);
    store.replace(file, content);
    return file;
  }

  /** Older files of a figure would be taken for its present ones. */
  private static void deleteOthers(FileStore store, Path folder, Figure figure, List<Path> files) {
    for (String name : store.list(folder)) {
      boolean own =
          name.matches(Pattern.quote(figure.name()) + "(-axes|-variance)?\\.(png|svg|csv|npy)");
      if (own && !files.contains(folder.resolve(name))) {
        store.delete(folder.resolve(name));
      }
    }
  }

  /** Null if text can be drawn, else what is missing and what to do. */
  private static String missingFonts() {
    try {
      new Font(Font.SANS_SERIF, Font.PLAIN, 8)
          .getStringBounds("x", new FontRenderContext(null, true, true));
      return null;
    } catch (RuntimeException | Error e) {
      if (EnvironmentFault.behind(e).orElse(null) != EnvironmentFault.NO_FONTS) {
        throw e;
      }
      return "the data are in the .csv file, but this Java cannot draw text, since no fonts are"
          + " installed. "
          + EnvironmentFault.NO_FONTS.next();
    }
  }
}
