package org.starling.analysis.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterTrackingTest {
  private static Clusters labels(int... roots) {
    return Clusters.ofRoots(roots);
  }

  @Test
  void theSmallerClusterMergesAndALaterOneSplits() {
    List<Track> tracks =
        ClusterTracking.of(
            new double[] {0, 1, 2, 5},
            List.of(
                labels(0, 0, 2, 2, 2, 5),
                labels(0, 0, 2, 2, 2, 5),
                labels(0, 0, 0, 0, 0, 5),
                labels(0, 0, 0, 0, 4, 5)));
    assertEquals(4, tracks.size());
    Track small = tracks.get(0);
    assertEquals(2, small.end());
    assertEquals(1, small.last());
    assertEquals(1, small.mergedInto());
    assertEquals(2, small.lifetime());
    assertArrayEquals(new int[] {0, 1}, small.tokens());
    Track large = tracks.get(1);
    assertTrue(large.alive());
    assertEquals(5, large.lifetime());
    assertArrayEquals(new int[] {0, 1, 2, 3}, large.tokens());
    Track split = tracks.get(3);
    assertEquals(5, split.birth());
    assertEquals(1, split.splitFrom());
    assertFalse(small.alive());
    assertTrue(Double.isNaN(split.end()));
  }

  @Test
  void equalClustersMergeIntoTheOlder() {
    List<Track> tracks =
        ClusterTracking.of(new double[] {0, 1}, List.of(labels(0, 0, 2, 2), labels(0, 0, 0, 0)));
    assertTrue(tracks.get(0).alive());
    assertEquals(0, tracks.get(1).mergedInto());
  }

  @Test
  void refusesFramesOutOfOrder() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ClusterTracking.of(new double[] {1, 1}, List.of(labels(0), labels(0))));
  }
}
