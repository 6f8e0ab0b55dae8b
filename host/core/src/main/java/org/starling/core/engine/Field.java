package org.starling.core.engine;

/**
 * A vector per token (a velocity or an attention output) in the engine's working precision, owned
 * by the engine that allocated it. Closing it frees device memory.
 */
public interface Field extends AutoCloseable {
  Shape shape();

  @Override
  void close();
}
