package org.starling.opencl;

import java.util.function.Supplier;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Shape;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceSession;

/**
 * Work on a device. The first failure is told with what was attempted; every attempt after it is
 * refused.
 */
final class Attempts {
  private final DeviceSession session;
  private String failed;

  Attempts(DeviceSession session) {
    this.session = session;
  }

  /** Refuses every further attempt. */
  void end(String why) {
    failed = why;
  }

  /** Does work on the device, turning a failure into one that names the attempt. */
  <T> T get(String attempt, Supplier<T> work) {
    if (failed != null) {
      throw new EngineException(
          EngineException.Kind.DEVICE_FAILURE, attempt + " is impossible: " + failed);
    }
    try {
      return work.get();
    } catch (ClException e) {
      Device device = session.device();
      failed = "the device " + device.name() + " failed before (" + e.getMessage() + ")";
      throw new EngineException(
          EngineException.Kind.DEVICE_FAILURE,
          "the device "
              + device.name()
              + " ("
              + device.id()
              + ") failed while "
              + attempt
              + ": "
              + e.getMessage()
              + ". The run can be resumed from its last checkpoint",
          e);
    }
  }

  void run(String attempt, Runnable work) {
    get(
        attempt,
        () -> {
          work.run();
          return null;
        });
  }

  /**
   * As {@link #get}, but lack of memory leaves the engine usable and is the environment's fault.
   */
  <T> T allocating(String what, Shape shape, Supplier<T> work) {
    return get(
        "allocating " + what,
        () -> {
          try {
            return work.get();
          } catch (ClException e) {
            if (!e.outOfMemory()) {
              throw e;
            }
            Device device = session.device();
            throw new EngineException(
                EngineException.Kind.ENVIRONMENT,
                String.format(
                    "no memory for %s of %d replicas x %d tokens x %d on %s: %s; %d bytes are in"
                        + " use of %d. Use fewer tokens or replicas, or another device",
                    what,
                    shape.replicas(),
                    shape.n(),
                    shape.d(),
                    device.name(),
                    e.getMessage(),
                    session.allocatedBytes(),
                    device.globalMemory()),
                e);
          }
        });
  }
}
