package org.starling.core.engine;

import java.util.List;

/**
 * Implemented by an engine that can show what its device is worth apart from attention, so that
 * speeds can be told as fractions of the device's limits.
 */
public interface DeviceProbes {
  /** A limit of a device. */
  enum Limit {
    /** Multiply-adds in registers, in flop/s (two a multiply-add), working precision. */
    MULTIPLY_ADD,
    /** The kernels' own exponential in registers, in values a second, working precision. */
    OWN_EXPONENTIAL,
    /** The device's exponential in registers, in values a second, working precision. */
    DEVICE_EXPONENTIAL,
    /** z = x through memory, in bytes a second, reads and writes counted. */
    COPY,
    /** z = x + 3 y through memory, in bytes a second, reads and writes counted. */
    TRIAD,
    /** A sum of x through memory, in bytes a second. */
    READ
  }

  /**
   * Every way worth trying to reach a limit; the best of them shows it. They hold device memory
   * until closed.
   */
  List<Probe> probes(Limit limit);

  /** One way to reach a limit. */
  interface Probe extends AutoCloseable {
    /** What distinguishes this way: {@code "vectors of 16, 8 chains"}. */
    String name();

    /**
     * Queues some hundredths of a second of work; {@link Engine#finish} waits for it.
     *
     * @return flop, values or bytes
     */
    double run();

    @Override
    void close();
  }
}
