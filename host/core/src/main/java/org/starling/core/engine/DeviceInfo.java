package org.starling.core.engine;

import java.util.Map;

/**
 * A place where a run can be computed, usable or not.
 *
 * @param engine name of the engine: {@code opencl}, {@code java}, {@code reference}, {@code
 *     tornado}
 * @param id stable name in the device grammar: {@code opencl:0:0}, {@code java}, {@code reference}
 * @param name human name, e.g. the OpenCL device name
 * @param type {@code gpu}, {@code cpu}, {@code accelerator}, or {@code jvm}
 * @param fp64 whether float64 is available
 * @param memoryBytes memory usable for a run
 * @param maxAllocationBytes largest single buffer
 * @param unavailable why it cannot be used, with the next step; null if it can
 * @param properties further facts for {@code devices} and {@code doctor}, in order
 */
public record DeviceInfo(
    String engine,
    String id,
    String name,
    String type,
    boolean fp64,
    long memoryBytes,
    long maxAllocationBytes,
    String unavailable,
    Map<String, String> properties) {

  public boolean usable() {
    return unavailable == null;
  }
}
