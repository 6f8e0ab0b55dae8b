package org.starling.core.engine;

/**
 * Positions of R replicas of n tokens in R^d, owned by the engine that allocated it; in mixed
 * precision with a correction per coordinate. Closing it frees device memory.
 */
public interface State extends AutoCloseable {
  Shape shape();

  @Override
  void close();
}
