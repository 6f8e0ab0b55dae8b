package org.starling.core.integrate;

import java.util.ArrayDeque;
import java.util.Deque;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;

/** The states and fields that an integrator allocates for itself, freed together. */
final class OwnedArrays implements AutoCloseable {
  private final Engine engine;
  private final Shape shape;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  OwnedArrays(Engine engine, Shape shape) {
    this.engine = engine;
    this.shape = shape;
  }

  State state() {
    State state = engine.allocateState(shape);
    owned.push(state);
    return state;
  }

  Field field() {
    Field field = engine.allocateField(shape);
    owned.push(field);
    return field;
  }

  /** Frees them, newest first. */
  @Override
  public void close() {
    try {
      while (!owned.isEmpty()) {
        owned.pop().close();
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("closing the integrator's arrays failed", e);
    }
  }
}
