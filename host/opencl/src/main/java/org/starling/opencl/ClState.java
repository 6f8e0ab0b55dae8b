package org.starling.opencl;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * Positions on the device.
 *
 * @param owner the engine that made it
 * @param shape its size
 * @param values {@code [R][n][d]}, float or double
 * @param corrections {@code [R][n][d]} floats to be added to the values in mixed precision, else
 *     null
 */
public record ClState(Engine owner, Shape shape, DeviceBuffer values, DeviceBuffer corrections)
    implements State {
  @Override
  public void close() {
    values.close();
    if (corrections != null) {
      corrections.close();
    }
  }
}
