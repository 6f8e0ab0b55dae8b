package org.starling.analysis.spectrum;

import java.util.Arrays;
import org.starling.analysis.Significant;

/**
 * One eigenvalue of a real matrix, or one complex pair, with its Jordan structure.
 *
 * @param re real part
 * @param im imaginary part, &gt;= 0; &gt; 0 stands for the pair re +- i im
 * @param multiplicity algebraic multiplicity of one of the pair
 * @param blocks sizes of the Jordan blocks of one of the pair, descending; they sum to the
 *     multiplicity
 */
public record Eigenvalue(double re, double im, int multiplicity, int[] blocks) {
  /** |lambda|. */
  public double modulus() {
    return Math.hypot(re, im);
  }

  /** Whether it is real. */
  public boolean real() {
    return im == 0;
  }

  /** Real dimension of its generalised eigenspace. */
  public int dimension() {
    return real() ? multiplicity : 2 * multiplicity;
  }

  /** Size of its largest Jordan block. */
  public int largestBlock() {
    return blocks[0];
  }

  /** Whether all its blocks have size 1. */
  public boolean semisimple() {
    return largestBlock() == 1;
  }

  /** Real and of multiplicity 1. */
  public boolean simpleReal() {
    return real() && multiplicity == 1;
  }

  /** Such as {@code 1.5}, {@code 1 +- 0.5i}, {@code 1 (3 times, blocks 2+1)}. */
  @Override
  public String toString() {
    String value = Significant.of(re) + (real() ? "" : " +- " + Significant.of(im) + "i");
    if (multiplicity == 1) {
      return value;
    }
    return value
        + " ("
        + multiplicity
        + " times"
        + (semisimple()
            ? ")"
            : ", blocks "
                + String.join("+", Arrays.stream(blocks).mapToObj(Integer::toString).toList())
                + ")");
  }
}
