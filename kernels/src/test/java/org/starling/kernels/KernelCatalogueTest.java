package org.starling.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every kernel of the catalogue ships, begins with its contract, and defines its entry. */
class KernelCatalogueTest {
  @Test
  void everyKernelIsThere() {
    assertFalse(KernelCatalogue.all().isEmpty());
    Set<String> entries = new HashSet<>();
    for (KernelSource source : KernelCatalogue.all()) {
      String text = source.text();
      assertTrue(entries.add(source.entry() + source.files()), source.entry() + " appears twice");
      Pattern entry = Pattern.compile("__kernel[^;{]*\\b" + source.entry() + "\\s*\\(");
      assertTrue(entry.matcher(text).find(), "no __kernel " + source.entry());
      for (String file : source.files()) {
        String own = KernelSource.of(source.entry(), file).text();
        assertTrue(own.startsWith("/*"), file + " has no contract");
        assertTrue(own.lines().count() < 400, file + " is too long");
      }
    }
  }

  @Test
  void equalVariantsHaveEqualOptions() {
    KernelSource source = StateKernels.RETRACT;
    KernelVariant one = source.with(Map.of("B", "2", "A", "1"));
    assertEquals("-cl-std=CL1.2 -DA=1 -DB=2", one.options());
    assertEquals(one, source.with(Map.of("A", "1", "B", "2")));
    assertThrows(UnsupportedOperationException.class, () -> one.defines().put("C", "3"));
  }

  @Test
  void aMissingFileIsNamed() {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> KernelSource.of("gone", "gone.cl").text());
    assertTrue(e.getMessage().contains("gone.cl"));
  }
}
