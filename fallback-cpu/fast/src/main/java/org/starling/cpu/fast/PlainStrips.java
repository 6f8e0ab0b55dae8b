package org.starling.cpu.fast;

/** Strips by plain loops, on any JVM. */
final class PlainStrips implements Strips {
  /** Narrower strips lose most of their time before and after the vectors. */
  private static final int NARROWEST = 64;

  private static final int WIDEST = 512;

  @Override
  public String description() {
    return "plain loops";
  }

  @Override
  public int width(int n, boolean single) {
    int share = n / (2 * Runtime.getRuntime().availableProcessors());
    int width = Math.max(NARROWEST, Math.min(WIDEST, share / NARROWEST * NARROWEST));
    return Math.min(width, n);
  }

  @Override
  public Strip strip(TokensSingle tokens, float[] y, Form form, int width) {
    return new PlainStripSingle(tokens, y, form, width);
  }

  @Override
  public Strip strip(TokensDouble tokens, double[] y, Form form, int width) {
    return new PlainStripDouble(tokens, y, form, width);
  }
}
