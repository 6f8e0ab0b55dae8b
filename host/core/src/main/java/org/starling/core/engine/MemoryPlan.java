package org.starling.core.engine;

import java.util.List;

/**
 * Device memory that a run will use, made before anything is allocated.
 *
 * @param items every buffer with its size
 * @param stateBytes size of one state copy (R n d numbers of the working precision)
 * @param limitBytes memory usable on the device
 * @param allocationLimitBytes largest single buffer allowed
 * @param largestN largest n that fits with everything else equal
 */
public record MemoryPlan(
    List<Item> items, long stateBytes, long limitBytes, long allocationLimitBytes, int largestN) {
  /** One kind of buffer: {@code count} of them of {@code bytes} each. */
  public record Item(String name, int count, long bytes) {
    public long total() {
      return count * bytes;
    }
  }

  public MemoryPlan {
    items = List.copyOf(items);
  }

  public long totalBytes() {
    return items.stream().mapToLong(Item::total).sum();
  }

  /** Total in copies of the state. */
  public double stateCopies() {
    return (double) totalBytes() / stateBytes;
  }

  public boolean fits() {
    return totalBytes() <= limitBytes
        && items.stream().allMatch(i -> i.bytes() <= allocationLimitBytes);
  }
}
