package org.starling.cpu.fast;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * e^z in float64 for z &lt;= 0 by the Vector API, lane for lane the arithmetic of {@link
 * ExpDouble}. Both vectors of a strip are written out: handed to a method that is not inlined, a
 * vector becomes an object.
 */
final class VectorExpDouble {
  private static final VectorSpecies<Double> S = DoubleVector.SPECIES_PREFERRED;
  private static final int W = S.length();
  private static final int WIDTH = 2 * W;

  private VectorExpDouble() {}

  /**
   * Turns the scores s of keys {@code from .. to - 1} into e^(s - shift), and sum into their sums.
   */
  static void exp(double[] s, int from, int to, double[] shift, double[] sum) {
    DoubleVector shift0 = DoubleVector.fromArray(S, shift, 0);
    DoubleVector shift1 = DoubleVector.fromArray(S, shift, W);
    DoubleVector sum0 = DoubleVector.zero(S);
    DoubleVector sum1 = DoubleVector.zero(S);
    DoubleVector log2e = DoubleVector.broadcast(S, ExpDouble.LOG2_E);
    DoubleVector low = DoubleVector.broadcast(S, ExpDouble.LOG2_E_LOW);
    DoubleVector round = DoubleVector.broadcast(S, ExpDouble.ROUND);
    for (int k = from; k < to; k++) {
      DoubleVector z0 = DoubleVector.fromArray(S, s, k * WIDTH).sub(shift0);
      DoubleVector z1 = DoubleVector.fromArray(S, s, k * WIDTH + W).sub(shift1);
      // At the bound the power of two is 0, and so is the result.
      z0 = z0.blend(ExpDouble.LOWEST, z0.compare(VectorOperators.LT, ExpDouble.LOWEST));
      z1 = z1.blend(ExpDouble.LOWEST, z1.compare(VectorOperators.LT, ExpDouble.LOWEST));
      DoubleVector n0 = z0.fma(log2e, round);
      DoubleVector n1 = z1.fma(log2e, round);
      DoubleVector f0 = z0.fma(low, z0.fma(log2e, round.sub(n0)));
      DoubleVector f1 = z1.fma(low, z1.fma(log2e, round.sub(n1)));
      DoubleVector p0 =
          f0.fma(
              DoubleVector.broadcast(S, ExpDouble.C11), DoubleVector.broadcast(S, ExpDouble.C10));
      DoubleVector p1 =
          f1.fma(
              DoubleVector.broadcast(S, ExpDouble.C11), DoubleVector.broadcast(S, ExpDouble.C10));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C9));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C9));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C8));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C8));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C7));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C7));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C6));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C6));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C5));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C5));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C4));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C4));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C3));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C3));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C2));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C2));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, ExpDouble.C1));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, ExpDouble.C1));
      p0 = p0.fma(f0, DoubleVector.broadcast(S, 1.0));
      p1 = p1.fma(f1, DoubleVector.broadcast(S, 1.0));
      p0 =
          p0.mul(
              n0.reinterpretAsLongs()
                  .add(ExpDouble.BIAS)
                  .lanewise(VectorOperators.LSHL, ExpDouble.FRACTION_BITS)
                  .reinterpretAsDoubles());
      p1 =
          p1.mul(
              n1.reinterpretAsLongs()
                  .add(ExpDouble.BIAS)
                  .lanewise(VectorOperators.LSHL, ExpDouble.FRACTION_BITS)
                  .reinterpretAsDoubles());
      p0.intoArray(s, k * WIDTH);
      p1.intoArray(s, k * WIDTH + W);
      sum0 = sum0.add(p0);
      sum1 = sum1.add(p1);
    }
    sum0.intoArray(sum, 0);
    sum1.intoArray(sum, W);
  }
}
