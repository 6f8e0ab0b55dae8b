package org.starling.opencl.attention;

import java.util.HashMap;
import java.util.Map;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Work buffers by name, kept between evaluations and replaced where a size changes. */
final class Workspace implements AutoCloseable {
  private final DeviceSession session;
  private final Map<String, DeviceBuffer> buffers = new HashMap<>();

  Workspace(DeviceSession session) {
    this.session = session;
  }

  /** A buffer of at least 16 bytes; its content is what the last user of the name left. */
  DeviceBuffer buffer(String name, long bytes) {
    long wanted = Math.max(16, bytes);
    DeviceBuffer known = buffers.get(name);
    if (known != null && known.bytes() == wanted) {
      return known;
    }
    if (known != null) {
      known.close();
      buffers.remove(name);
    }
    DeviceBuffer made = session.allocate(name, wanted);
    buffers.put(name, made);
    return made;
  }

  /** As {@link #buffer}, but a larger one of that name serves as well. */
  DeviceBuffer atLeast(String name, long bytes) {
    DeviceBuffer known = buffers.get(name);
    return known != null && known.bytes() >= bytes ? known : buffer(name, bytes);
  }

  @Override
  public void close() {
    buffers.values().forEach(DeviceBuffer::close);
    buffers.clear();
  }
}
