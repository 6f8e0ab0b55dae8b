package org.starling.cpu.reference;

import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;

/** A state or a field: numbers {@code [R][n][d]} in one array. */
final class ReferenceArray implements State, Field {
  final ReferenceEngine owner;
  final boolean isState;
  private final Shape shape;
  private double[] values;

  ReferenceArray(ReferenceEngine owner, boolean isState, Shape shape) {
    this.owner = owner;
    this.isState = isState;
    this.shape = shape;
    values = new double[Math.toIntExact(shape.size())];
  }

  @Override
  public Shape shape() {
    return shape;
  }

  double[] values() {
    if (values == null) {
      throw new IllegalStateException("this " + (isState ? "state" : "field") + " is closed");
    }
    return values;
  }

  /** Where replica r begins. */
  int at(int r) {
    return r * shape.n() * shape.d();
  }

  @Override
  public void close() {
    values = null;
  }
}
