package org.starling.app.figures;

/** A run does not hold what a figure needs; the message says what and how to get it. */
final class MissingData extends Exception {
  private static final long serialVersionUID = 1L;

  MissingData(String reason) {
    super(reason);
  }
}
