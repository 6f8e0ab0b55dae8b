package org.starling.core.model;

/**
 * A user's own interaction, bound from static Java methods; accepted only by engines that can run
 * Java. It replaces beta &lt;Q x_i, K x_j&gt; as the score and may declare pairs dead on top of the
 * mask. Implementations must be pure and thread-safe.
 */
public interface Interaction {
  /** Name of the user's class, for messages and the manifest. */
  String name();

  /**
   * Hash of its code, lower-case hexadecimal: what was measured of one body says nothing of another
   * under the same name. Empty for code that is part of this program.
   */
  default String codeHash() {
    return "";
  }

  /**
   * The score s_ij before any alibi bias.
   *
   * @param q array holding Q x_i, {@code m} numbers from {@code qAt}
   * @param k array holding K x_j, {@code m} numbers from {@code kAt}
   * @param m head dimension
   * @param i query index, from 0
   * @param j key index, from 0
   * @param beta effective inverse temperature (score scale included)
   */
  double score(double[] q, int qAt, double[] k, int kAt, int m, int i, int j, double beta);

  /** Whether query i sees key j among n tokens; a row may end up without any live key. */
  boolean live(int i, int j, int n);
}
