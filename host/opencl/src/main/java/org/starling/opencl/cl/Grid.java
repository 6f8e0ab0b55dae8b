package org.starling.opencl.cl;

/**
 * How work-items cover units of work (tokens, rows, blocks): each work-group of {@code local} items
 * handles {@code unitsPerGroup} consecutive units, or {@code groupsPerUnit} consecutive groups
 * share one.
 *
 * @param local work-group size, &gt;= 1
 * @param unitsPerGroup units a group, &gt;= 1
 * @param groupsPerUnit groups a unit, &gt;= 1; one of the two is 1
 */
public record Grid(int local, int unitsPerGroup, int groupsPerUnit) {
  public Grid {
    if (local < 1 || Math.min(unitsPerGroup, groupsPerUnit) != 1) {
      throw new IllegalArgumentException(
          "a grid needs local, units, groups >= 1, one of the latter 1, got "
              + local
              + ", "
              + unitsPerGroup
              + ", "
              + groupsPerUnit);
    }
  }

  public Grid(int local, int unitsPerGroup) {
    this(local, unitsPerGroup, 1);
  }

  /** One work-item a unit. */
  public static Grid items(int local) {
    return new Grid(local, local);
  }

  /** Work-items, alone in their groups, that share a unit; a launch holds all of a unit's. */
  public static Grid team(int members) {
    return new Grid(1, 1, members);
  }

  /** One work-group a unit. */
  public static Grid groups(int local) {
    return new Grid(local, 1);
  }
}
