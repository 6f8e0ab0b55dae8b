package org.starling.cpu.fast;

/** Where differences take the place of products, so that nothing that counts cancels. */
enum Form {
  /** Scores &lt;y_i, x_j&gt;, sums of x_j; the self term apart. */
  SPLIT,

  /** Scores &lt;y_i, x_j - x_i&gt;, relative to the self score; sums of x_j. */
  RELATIVE,

  /** Scores &lt;y_i, x_j - x_i&gt; and sums of x_j - x_i. */
  DIFFERENCES;

  boolean relativeScores() {
    return this != SPLIT;
  }
}
