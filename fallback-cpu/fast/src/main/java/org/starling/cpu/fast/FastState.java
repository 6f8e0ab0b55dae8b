package org.starling.cpu.fast;

import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;

/**
 * Numbers of a state or field on the heap. Single precision states and single or mixed precision
 * fields are float32; the mixed state is float64, which holds a float32 value and its correction.
 */
final class FastState implements State, Field {
  final FastEngine owner;
  final Shape shape;
  float[] single;
  double[] full;
  private boolean closed;

  FastState(FastEngine owner, Shape shape, boolean isSingle) {
    this.owner = owner;
    this.shape = shape;
    if (isSingle) {
      single = new float[(int) shape.size()];
    } else {
      full = new double[(int) shape.size()];
    }
  }

  double get(int k) {
    return single != null ? single[k] : full[k];
  }

  void set(int k, double v) {
    if (single != null) {
      single[k] = (float) v;
    } else {
      full[k] = v;
    }
  }

  int length() {
    return single != null ? single.length : full.length;
  }

  boolean closed() {
    return closed;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public void close() {
    closed = true;
    single = null;
    full = null;
  }
}
