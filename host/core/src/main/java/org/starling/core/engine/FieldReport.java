package org.starling.core.engine;

/**
 * What happened while fields were evaluated that their numbers alone do not show; counts of several
 * evaluations are added up.
 *
 * @param deadRows rows without a live key (their field is 0)
 * @param firstDeadRow replica * n + token of the first, or -1
 * @param belowRange tokens with a non-zero field too small for the working precision to hold with
 *     its full accuracy (speed below 2^-104 in float32, 2^-1000 in float64)
 * @param firstBelowRange replica * n + token of the first, or -1
 * @param beyondStorage tokens with a coordinate that is larger than keys and values can be kept
 *     ({@link Storage}): what sees them is NaN
 * @param firstBeyondStorage replica * n + token of the first, or -1
 * @param belowStorage tokens all of whose coordinates are too small to be kept with the digits that
 *     larger ones keep, and not kept exactly
 * @param firstBelowStorage replica * n + token of the first, or -1
 */
public record FieldReport(
    long deadRows,
    long firstDeadRow,
    long belowRange,
    long firstBelowRange,
    long beyondStorage,
    long firstBeyondStorage,
    long belowStorage,
    long firstBelowStorage) {
  public static final FieldReport CLEAN = new FieldReport(0, -1, 0, -1);

  /** Speeds under this are counted as below range in float32. */
  public static final double SMALLEST_SINGLE = 0x1p-104;

  /** Speeds under this are counted as below range in float64. */
  public static final double SMALLEST_DOUBLE = 0x1p-1000;

  /** Where keys and values are kept in the working precision. */
  public FieldReport(long deadRows, long firstDeadRow, long belowRange, long firstBelowRange) {
    this(deadRows, firstDeadRow, belowRange, firstBelowRange, 0, -1, 0, -1);
  }

  /** Both reports together; the first indices are the lower ones. */
  public FieldReport and(FieldReport o) {
    return new FieldReport(
        deadRows + o.deadRows,
        first(firstDeadRow, o.firstDeadRow),
        belowRange + o.belowRange,
        first(firstBelowRange, o.firstBelowRange),
        beyondStorage + o.beyondStorage,
        first(firstBeyondStorage, o.firstBeyondStorage),
        belowStorage + o.belowStorage,
        first(firstBelowStorage, o.firstBelowStorage));
  }

  /** What keys and values could not hold, as a sentence; empty if they held everything. */
  public String beyondStorageSentence() {
    return beyondStorage == 0
        ? ""
        : beyondStorage
            + " times a token had a coordinate beyond 65504, the largest half (the first: token "
            + firstBeyondStorage
            + "); what saw it is no number: leave execution.storage out.";
  }

  private static long first(long a, long b) {
    return a < 0 ? b : b < 0 ? a : Math.min(a, b);
  }
}
