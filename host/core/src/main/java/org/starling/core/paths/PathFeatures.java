package org.starling.core.paths;

/** Attentioned inputs of examples, {@code [count][paths][width]}, where an engine keeps them. */
public interface PathFeatures extends AutoCloseable {
  int count();

  int paths();

  int width();

  @Override
  void close();
}
