package org.starling.core.observe;

import java.util.List;
import org.starling.core.engine.Shape;

/** A quantity, or a few that come from one measurement. Stateless. */
public interface Observer {
  /** What it gives for each replica, in this order. */
  List<Column> columns(Shape shape);

  /** Whether it needs {@link Snapshot#scratch}. */
  default boolean needsScratch() {
    return false;
  }

  /** Adds one value per column and replica. */
  void observe(Snapshot at, Readings out);
}
