package org.starling.cpu.fast;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * e^z in float32 for z &lt;= 0 by the Vector API, lane for lane the arithmetic of {@link
 * ExpSingle}. Both vectors of a strip are written out: handed to a method that is not inlined, a
 * vector becomes an object.
 */
final class VectorExpSingle {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int W = S.length();
  private static final int WIDTH = 2 * W;

  private VectorExpSingle() {}

  /**
   * Turns the scores s of keys {@code from .. to - 1} into e^(s - shift), and sum into their sums.
   */
  static void exp(float[] s, int from, int to, float[] shift, float[] sum) {
    FloatVector shift0 = FloatVector.fromArray(S, shift, 0);
    FloatVector shift1 = FloatVector.fromArray(S, shift, W);
    FloatVector sum0 = FloatVector.zero(S);
    FloatVector sum1 = FloatVector.zero(S);
    FloatVector log2e = FloatVector.broadcast(S, ExpSingle.LOG2_E);
    FloatVector low = FloatVector.broadcast(S, ExpSingle.LOG2_E_LOW);
    FloatVector round = FloatVector.broadcast(S, ExpSingle.ROUND);
    for (int k = from; k < to; k++) {
      FloatVector z0 = FloatVector.fromArray(S, s, k * WIDTH).sub(shift0);
      FloatVector z1 = FloatVector.fromArray(S, s, k * WIDTH + W).sub(shift1);
      // At the bound the power of two is 0, and so is the result.
      z0 = z0.blend(ExpSingle.LOWEST, z0.compare(VectorOperators.LT, ExpSingle.LOWEST));
      z1 = z1.blend(ExpSingle.LOWEST, z1.compare(VectorOperators.LT, ExpSingle.LOWEST));
      FloatVector n0 = z0.fma(log2e, round);
      FloatVector n1 = z1.fma(log2e, round);
      FloatVector f0 = z0.fma(low, z0.fma(log2e, round.sub(n0)));
      FloatVector f1 = z1.fma(low, z1.fma(log2e, round.sub(n1)));
      FloatVector p0 =
          f0.fma(FloatVector.broadcast(S, ExpSingle.C6), FloatVector.broadcast(S, ExpSingle.C5));
      FloatVector p1 =
          f1.fma(FloatVector.broadcast(S, ExpSingle.C6), FloatVector.broadcast(S, ExpSingle.C5));
      p0 = p0.fma(f0, FloatVector.broadcast(S, ExpSingle.C4));
      p1 = p1.fma(f1, FloatVector.broadcast(S, ExpSingle.C4));
      p0 = p0.fma(f0, FloatVector.broadcast(S, ExpSingle.C3));
      p1 = p1.fma(f1, FloatVector.broadcast(S, ExpSingle.C3));
      p0 = p0.fma(f0, FloatVector.broadcast(S, ExpSingle.C2));
      p1 = p1.fma(f1, FloatVector.broadcast(S, ExpSingle.C2));
      p0 = p0.fma(f0, FloatVector.broadcast(S, ExpSingle.C1));
      p1 = p1.fma(f1, FloatVector.broadcast(S, ExpSingle.C1));
      p0 = p0.fma(f0, FloatVector.broadcast(S, 1f));
      p1 = p1.fma(f1, FloatVector.broadcast(S, 1f));
      p0 =
          p0.mul(
              n0.reinterpretAsInts()
                  .add(ExpSingle.BIAS)
                  .lanewise(VectorOperators.LSHL, ExpSingle.FRACTION_BITS)
                  .reinterpretAsFloats());
      p1 =
          p1.mul(
              n1.reinterpretAsInts()
                  .add(ExpSingle.BIAS)
                  .lanewise(VectorOperators.LSHL, ExpSingle.FRACTION_BITS)
                  .reinterpretAsFloats());
      p0.intoArray(s, k * WIDTH);
      p1.intoArray(s, k * WIDTH + W);
      sum0 = sum0.add(p0);
      sum1 = sum1.add(p1);
    }
    sum0.intoArray(sum, 0);
    sum1.intoArray(sum, W);
  }
}
