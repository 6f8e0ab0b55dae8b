package org.starling.cpu.fast;

import jdk.incubator.vector.FloatVector;

/** Strips by the Vector API; loaded only where its module is. */
final class VectorStrips implements Strips {
  /** Bits in the vectors that this JVM prefers. */
  static int bits() {
    return FloatVector.SPECIES_PREFERRED.vectorBitSize();
  }

  @Override
  public String description() {
    return "Vector API, " + bits() + " bits";
  }

  @Override
  public int width(int n, boolean single) {
    return single ? VectorStripSingle.WIDTH : VectorStripDouble.WIDTH;
  }

  @Override
  public Strip strip(TokensSingle tokens, float[] y, Form form, int width) {
    return new VectorStripSingle(tokens, y, form);
  }

  @Override
  public Strip strip(TokensDouble tokens, double[] y, Form form, int width) {
    return new VectorStripDouble(tokens, y, form);
  }
}
