package org.starling.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TileSizesTest {
  @ParameterizedTest
  @CsvSource({"false,4", "false,8", "false,16", "true,2", "true,4", "true,8"})
  void everyCandidateIsReadBackFromItsText(boolean fp64, int lanes) {
    assertEquals(
        BlockTable.defaults(fp64, lanes),
        BlockTable.parse(BlockTable.defaults(fp64, lanes).text(), fp64));
    for (int d : new int[] {9, 16, 128, 1024, 4096}) {
      List<BlockTiles> all = BlockTiles.candidates(fp64, d, lanes);
      assertEquals(BlockTable.defaults(fp64, lanes).at(fp64, d), all.get(0));
      assertEquals(all.size(), new HashSet<>(all).size(), "different candidates at d = " + d);
      assertTrue(all.size() <= 8, all.size() + " candidates at d = " + d);
      for (BlockTiles t : all) {
        assertEquals(t, BlockTiles.parse(t.text()));
        assertEquals(t, t.fitting(fp64, d), "fits a stack at d = " + d);
        assertTrue(fp64 || t.fitting(false, d, true).fits(false, d, true), "half at d = " + d);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void someGroupTileFitsTheLocalMemoryOfAnyDevice(boolean fp64) {
    List<GroupTiles> all = GroupTiles.candidates(fp64, GroupTiles.LEAST_LOCAL_MEMORY, 1024);
    assertFalse(all.isEmpty());
    for (GroupTiles t : GroupTiles.candidates(fp64, 1 << 20, 1024)) {
      assertEquals(t, GroupTiles.parse(t.text()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "blocks",
        "blocks rows=50 panel=128 chunk=128 tile=8x3x16",
        "blocks rows=48 panel=100 chunk=128 tile=8x3x16",
        "blocks rows=48 panel=128 chunk=128 tile=8x3x32",
        "blocks rows=48 panel=128 chunk=0 tile=8x3x16",
        "blocks rows=99999999999 panel=128 chunk=128 tile=8x3x16",
        "d<=64 blocks rows=48 panel=128 chunk=128 tile=8x3x16",
        "groups grid=8 tile=4 chunk=16"
      })
  void impossibleSizesAreRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> BlockTable.parse(text, false));
  }

  @Test
  void aTableGivesEachDimensionItsTiles() {
    String small = "blocks rows=48 panel=64 chunk=64 tile=8x3x16";
    String large = "blocks rows=96 panel=128 chunk=128 tile=8x3x16";
    BlockTable table = BlockTable.parse("d<=32 " + small + "; " + large, false);
    assertEquals(small, table.at(false, 32).text());
    assertEquals(large, table.at(false, 33).text());
    assertThrows(IllegalArgumentException.class, () -> BlockTable.parse(small, true));
    assertThrows(IllegalArgumentException.class, () -> GroupTiles.parse(small));
  }
}
