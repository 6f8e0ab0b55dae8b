package org.starling.app.figures;

/** A run does not hold what a figure needs; the message says what and how to get it. */
final class MissingData extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean failed;

  MissingData(String reason) {
    this(reason, false);
  }

  private MissingData(String reason, boolean failed) {
    super(reason);
    this.failed = failed;
  }

  /** What was there could not be used: worth telling of even where the figure was not asked for. */
  static MissingData failed(String reason) {
    return new MissingData(reason, true);
  }

  boolean failed() {
    return failed;
  }
}
