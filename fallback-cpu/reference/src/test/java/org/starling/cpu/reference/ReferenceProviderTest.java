package org.starling.cpu.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Precision;

class ReferenceProviderTest {
  @Test
  void isFoundAndOpensInDouble() {
    EngineProvider provider =
        ServiceLoader.load(EngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(p -> p.engine().equals("reference"))
            .findFirst()
            .orElseThrow();
    DeviceInfo device = provider.devices().get(0);
    assertEquals("reference", device.id());
    assertTrue(device.usable() && device.fp64());
    try (Engine engine = provider.open(device, EngineOptions.of(Precision.DOUBLE))) {
      assertEquals(Precision.DOUBLE, engine.precision());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SINGLE", "MIXED"})
  void refusesOtherPrecisionsAndNamesTheAlternative(Precision precision) {
    ReferenceProvider provider = new ReferenceProvider();
    DeviceInfo device = provider.devices().get(0);
    EngineException e =
        assertThrows(
            EngineException.class, () -> provider.open(device, EngineOptions.of(precision)));
    assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
    assertTrue(e.getMessage().contains("--precision double"), e.getMessage());
  }
}
