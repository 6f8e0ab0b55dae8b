package org.starling.app.figures;

import java.util.List;

/**
 * What to draw and how large.
 *
 * @param times times of the token panels, each the nearest frame; empty for six spread over the
 *     frames as they were saved, first and last included
 * @param attentionTimes times of the attention matrices; empty for the first and the last frame
 * @param widthInches width of a figure, 3 to 20; the default fills the two columns of a paper
 * @param dpi pixels an inch of the PNG, 50 to 1200
 * @param attention computes attention matrices; null where no engine is at hand
 */
public record FigureOptions(
    List<Double> times,
    List<Double> attentionTimes,
    double widthInches,
    int dpi,
    AttentionSource attention) {
  /** Width of both columns of a paper. */
  public static final double DEFAULT_WIDTH = 7.1;

  public static final int DEFAULT_DPI = 220;

  /** The most token panels in a figure. */
  public static final int MOST_TIMES = 24;

  public FigureOptions {
    times = List.copyOf(times);
    attentionTimes = List.copyOf(attentionTimes);
    if (times.size() > MOST_TIMES || attentionTimes.size() > MOST_TIMES) {
      throw new IllegalArgumentException(
          "a figure has at most "
              + MOST_TIMES
              + " panels, got "
              + Math.max(times.size(), attentionTimes.size())
              + " times");
    }
    if (!(widthInches >= 3 && widthInches <= 20)) {
      throw new IllegalArgumentException("width must be 3 to 20 inches, got " + widthInches);
    }
    if (dpi < 50 || dpi > 1200) {
      throw new IllegalArgumentException("resolution must be 50 to 1200 dpi, got " + dpi);
    }
  }

  /** Six times, no attention matrices. */
  public static FigureOptions defaults() {
    return new FigureOptions(List.of(), List.of(), DEFAULT_WIDTH, DEFAULT_DPI, null);
  }

  public FigureOptions withTimes(List<Double> chosen) {
    return new FigureOptions(chosen, attentionTimes, widthInches, dpi, attention);
  }

  public FigureOptions withAttentionTimes(List<Double> chosen) {
    return new FigureOptions(times, chosen, widthInches, dpi, attention);
  }

  public FigureOptions withSize(double inches, int dotsPerInch) {
    return new FigureOptions(times, attentionTimes, inches, dotsPerInch, attention);
  }

  public FigureOptions withAttention(AttentionSource source) {
    return new FigureOptions(times, attentionTimes, widthInches, dpi, source);
  }
}
