package org.starling.opencl.cl;

/**
 * How work-items cover units of work (tokens, rows, blocks): each work-group of {@code local} items
 * handles {@code unitsPerGroup} consecutive units.
 *
 * @param local work-group size, &gt;= 1
 * @param unitsPerGroup units a group, &gt;= 1
 */
public record Grid(int local, int unitsPerGroup) {
  public Grid {
    if (local < 1 || unitsPerGroup < 1) {
      throw new IllegalArgumentException(
          "a grid needs local, units >= 1, got " + local + ", " + unitsPerGroup);
    }
  }

  /** One work-item a unit. */
  public static Grid items(int local) {
    return new Grid(local, local);
  }

  /** One work-group a unit. */
  public static Grid groups(int local) {
    return new Grid(local, 1);
  }
}
