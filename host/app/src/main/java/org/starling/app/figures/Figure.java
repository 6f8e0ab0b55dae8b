package org.starling.app.figures;

import java.awt.Graphics2D;
import java.util.List;

/** One kind of figure. */
interface Figure {
  /** Base name of its files. */
  String name();

  /**
   * Reads what it needs of a run and lays the figure out.
   *
   * @throws MissingData if the run does not hold it
   */
  Drawing prepare(RunFiles run, FigureOptions options) throws MissingData;

  /**
   * A figure laid out. Lengths are in points.
   *
   * @param title first line
   * @param height of the content below the title
   * @param content paints into a box of the figure's width and this height, from (0, 0)
   * @param data what the figure shows, as numbers; the first file has the figure's base name
   */
  record Drawing(String title, double height, Content content, List<DataFile> data) {}

  /** Paints the content of a figure. */
  interface Content {
    void paint(Graphics2D g, double width);
  }
}
