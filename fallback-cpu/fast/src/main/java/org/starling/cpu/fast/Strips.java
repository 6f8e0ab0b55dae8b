package org.starling.cpu.fast;

/** One way to compute strips; all give the same bits. {@link Lanes} chooses one. */
interface Strips {
  /** The name, for people. */
  String description();

  /** Rows of a strip for {@code n} tokens in float32 or float64; does not decide the bits. */
  int width(int n, boolean single);

  /** Working memory for float32. */
  Strip strip(TokensSingle tokens, float[] y, Form form, int width);

  /** Working memory for float64. */
  Strip strip(TokensDouble tokens, double[] y, Form form, int width);
}
