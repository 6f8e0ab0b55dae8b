package org.starling.opencl;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * A vector per token on the device.
 *
 * @param owner the engine that made it
 * @param shape its size
 * @param values {@code [R][n][d]}, float or double
 */
public record ClField(Engine owner, Shape shape, DeviceBuffer values) implements Field {
  @Override
  public void close() {
    values.close();
  }
}
