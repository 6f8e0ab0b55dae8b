package org.starling.cpu.fast;

import org.starling.core.model.Mask;

/**
 * The working memory of one thread for a strip of rows that lie side by side: whatever is done for
 * a key is done for all rows of the strip at once, and never across rows. So the bits of a row
 * depend neither on the width of a strip nor on the rows beside it.
 *
 * <p>A strip is loaded by {@link #begin}; panels of keys follow, in order, each as {@link #scores},
 * {@link #bias} and {@link #hide} where the mask asks for it, {@link #weights}, {@link #values};
 * and {@link #flush} hands the sums out. Scores of a panel are addressed by the key's place {@code
 * k} in it and the row's place {@code r} in the strip.
 */
interface Strip {
  /** Keys in a panel at most. */
  int PANEL = 128;

  /** Keys whose sums are formed from zero: long sums in float32 would lose tight clusters. */
  int PART = 32;

  /** Keys, a multiple of {@link #PANEL}, whose parts are added up in the working precision. */
  int SPAN = 1024;

  /** Starts with rows {@code from .. from + rows - 1}; all sums are zero. */
  void begin(int from, int rows);

  /** Scores of keys {@code key .. key + count - 1} for rows {@code r0 .. r1 - 1} of the strip. */
  void scores(int key, int count, int r0, int r1);

  /** Adds the bias of the mask to the scores of the panel that begins at {@code key}. */
  void bias(Mask mask, int key, int count, int r0, int r1);

  /** Makes the keys at {@code k0 .. k1 - 1} of the panel dead for row {@code r}. */
  void hide(int r, int k0, int k1);

  /** The score of the key at {@code k} for row {@code r}. */
  double score(int k, int r);

  /** Turns scores into weights e^{s - max}, after raising the maximum where it must be. */
  void weights(int count, int r0, int r1);

  /** Adds the values of the panel under its weights. */
  void values(int key, int count, int r0, int r1);

  /** Adds the sums since the last flush to {@code rows[0 ..]} and starts them again from zero. */
  void flush(RowSums[] rows);
}
