package org.starling.app.figures;

import java.nio.charset.StandardCharsets;

/** Comma-separated values with one line of names. */
final class Table {
  private final int columns;
  private final StringBuilder text = new StringBuilder();

  Table(String... names) {
    this.columns = names.length;
    text.append(String.join(",", names)).append('\n');
  }

  /**
   * Adds a row. Integers are written as such, doubles so that they read back to the same bits, null
   * as an empty cell.
   */
  void row(Object... cells) {
    if (cells.length != columns) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
    }
    for (int c = 0; c < columns; c++) {
      if (c > 0) {
        text.append(',');
      }
      if (cells[c] != null) {
        text.append(cells[c]);
      }
    }
    text.append('\n');
  }

  /** The file; the suffix is without {@code .csv}, empty for the first table of a figure. */
  DataFile file(String suffix) {
    return new DataFile(suffix + ".csv", text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
