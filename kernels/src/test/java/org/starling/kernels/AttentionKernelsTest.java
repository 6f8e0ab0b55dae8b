package org.starling.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttentionKernelsTest {
  @ParameterizedTest
  @CsvSource({"false,1", "false,8", "false,9", "false,1024", "true,2", "true,64"})
  void variantsHaveNamesOfTheirOwnAndBuildFromShippedSources(boolean fp64, int d) {
    // A set: both passes pack their keys with the same variant.
    Set<KernelVariant> all = new LinkedHashSet<>(AttentionKernels.variants(fp64, d));
    all.addAll(HalfKernels.variants(d));
    all.addAll(PairKernels.variants(fp64, d, true));
    assertEquals(all.size(), new HashSet<>(all.stream().map(KernelVariant::name).toList()).size());
    for (KernelVariant v : all) {
      assertTrue(KernelCatalogue.all().contains(v.source()), v.name());
      Pattern entry =
          Pattern.compile("__kernel[^{]*\\bvoid " + v.source().entry() + "\\(", Pattern.DOTALL);
      assertTrue(entry.matcher(v.source().text()).find(), v.name());
    }
  }

  /** A define that no source reads, or a macro that is never set, is a variant in name only. */
  @ParameterizedTest
  @CsvSource({"false,3", "false,40", "true,40"})
  void everyDefineIsReadByItsSource(boolean fp64, int d) {
    List<KernelVariant> all = new ArrayList<>(AttentionKernels.variants(fp64, d));
    all.addAll(HalfKernels.variants(d));
    all.addAll(PairKernels.variants(fp64, d, false));
    for (KernelVariant v : all) {
      for (String define : v.defines().keySet()) {
        assertTrue(
            Pattern.compile("\\b" + define + "\\b").matcher(v.source().text()).find(),
            v.name() + " sets " + define + " for nothing");
      }
    }
  }

  @Test
  void aBlocksPrivateArraysFitAStack() {
    for (int d : new int[] {9, 128, 1024, 4096}) {
      int rows = AttentionKernels.blockRows(true, d);
      assertEquals(0, rows % AttentionKernels.TILE_ROWS, "rows of a block at d = " + d);
      long bytes = 8L * rows * (2L * d + AttentionKernels.paddedDimension(true, d));
      assertTrue(bytes <= 4 << 20, bytes + " bytes at d = " + d);
    }
    assertEquals(48, AttentionKernels.blockRows(false, 128));
  }

  @Test
  void hardmaxHasNoPlainVariant() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            AttentionKernels.attendBlocks(
                false, 64, BlockTiles.defaultFor(false, 64, 8), false, true));
  }
}
