package org.starling.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonTest {
  private static final long SEED = 7;

  @Test
  void doublesKeepTheirBits() {
    Random random = new Random(SEED);
    for (int k = 0; k < 20_000; k++) {
      double v = Double.longBitsToDouble(random.nextLong());
      byte[] line = Json.line(Map.of("v", v));
      double read = Json.number(Json.read(line, "line").get("v"));
      assertEquals(
          Double.doubleToLongBits(v), Double.doubleToLongBits(read), "seed " + SEED + ": " + v);
    }
  }

  @Test
  void nonFiniteValuesAreNamedAndTheTextStaysJson() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("a", Double.NaN);
    object.put("b", Double.POSITIVE_INFINITY);
    object.put("c", Double.NEGATIVE_INFINITY);
    object.put("d", null);
    object.put("e", 2.0E-3);
    assertEquals(
        "{\"a\":\"NaN\",\"b\":\"Infinity\",\"c\":\"-Infinity\",\"d\":null,\"e\":0.002}\n",
        new String(Json.line(object), StandardCharsets.UTF_8));
  }

  @Test
  void damagedTextNamesItsFile() {
    StoreException e =
        assertThrows(
            StoreException.class,
            () -> Json.read("{\"a\":".getBytes(StandardCharsets.UTF_8), "run/manifest.json"));
    assertTrue(e.getMessage().contains("run/manifest.json"), e.getMessage());
  }
}
