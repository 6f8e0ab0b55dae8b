package org.starling.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.EngineIdentity;

/** What one certificate says nothing about. */
class CertificateKeyTest {
  private static Certificate.Key with(String tiles) {
    return Certificate.Key.of(
        new EngineIdentity(
            "opencl", "device", "driver", "platform", "hash", Map.of("tiles", tiles)));
  }

  @Test
  void otherTileSizesAreMeasuredForThemselves() {
    assertEquals(with("a"), with("a"));
    assertNotEquals(with("a"), with("b"));
  }
}
