package org.starling.app.figures;

import java.nio.charset.StandardCharsets;

/** Data behind a figure, as comma-separated values with one line of names. */
final class Table {
  private final String suffix;
  private final int columns;
  private final StringBuilder text = new StringBuilder();

  /**
   * @param suffix added to the figure's base name; empty for its first table
   */
  Table(String suffix, String... names) {
    this.suffix = suffix;
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

  String suffix() {
    return suffix;
  }

  byte[] bytes() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
