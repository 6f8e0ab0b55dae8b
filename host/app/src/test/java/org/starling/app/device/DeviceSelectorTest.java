package org.starling.app.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.model.Precision;

final class DeviceSelectorTest {
  private static final DeviceInfo JAVA = info("java", "java", "Java threads", "jvm", true, null);
  private static final DeviceInfo REFERENCE =
      info("reference", "reference", "Definition", "jvm", true, null);
  private static final DeviceInfo POCL =
      info("opencl", "opencl:0:0", "pthread-haswell", "cpu", true, null);
  private static final DeviceInfo ARC =
      info("opencl", "opencl:1:0", "Intel Arc A770", "gpu", false, null);
  private static final DeviceInfo NO_ICD =
      info("opencl", "opencl", "OpenCL", "none", false, "no OpenCL driver is installed");

  @Test
  void autoPrefersAGpuThenAnOpenClCpuThenJava() {
    assertEquals("opencl:1:0", chosen("auto", Precision.SINGLE, REFERENCE, JAVA, POCL, ARC));
    assertEquals("opencl:0:0", chosen("auto", Precision.SINGLE, REFERENCE, JAVA, POCL));
    assertEquals("java", chosen("auto", Precision.SINGLE, REFERENCE, JAVA));
  }

  @Test
  void autoSaysWhatItPassedOverAndWhy() {
    Selection s = select("auto", Precision.DOUBLE, REFERENCE, JAVA, NO_ICD, ARC);
    assertEquals("java", s.device().id());
    String text = s.describe();
    assertTrue(text.contains("opencl:1:0 (Intel Arc A770): has no fp64"), text);
    assertTrue(text.contains("no OpenCL driver is installed"), text);
    assertTrue(text.contains("not reference (Definition): the definition"), text);
    assertEquals(3, s.others().size());
  }

  @Test
  void aKindThatIsNotThereIsAnEnvironmentErrorWithTheNextStep() {
    EngineException cpu = refused("cpu", Precision.SINGLE, JAVA, NO_ICD);
    assertEquals(EngineException.Kind.ENVIRONMENT, cpu.kind());
    assertTrue(cpu.getMessage().contains("no OpenCL driver is installed"), cpu.getMessage());
    assertTrue(cpu.getMessage().contains("pocl-opencl-icd"), cpu.getMessage());
    assertTrue(cpu.getMessage().contains("--device java"), cpu.getMessage());
    EngineException gpu = refused("gpu", Precision.SINGLE, JAVA, POCL);
    assertEquals(EngineException.Kind.ENVIRONMENT, gpu.kind());
    assertTrue(gpu.getMessage().contains("--device cpu"), gpu.getMessage());
  }

  @Test
  void doubleOnADeviceWithoutFp64IsRefusedNamingTheAlternative() {
    EngineException e = refused("gpu", Precision.DOUBLE, JAVA, ARC);
    assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
    assertTrue(e.getMessage().contains("no fp64"), e.getMessage());
    assertTrue(e.getMessage().contains("mixed"), e.getMessage());
  }

  @Test
  void numbersAndNamePartsChooseOneDevice() {
    assertEquals("opencl:0:0", chosen("opencl:0:0", Precision.SINGLE, JAVA, POCL, ARC));
    assertEquals("opencl:1:0", chosen("arc a7", Precision.SINGLE, JAVA, POCL, ARC));
    assertEquals(
        EngineException.Kind.ENVIRONMENT,
        refused("opencl:3:0", Precision.SINGLE, JAVA, POCL).kind());
    EngineException none = refused("radeon", Precision.SINGLE, JAVA, POCL);
    assertTrue(none.getMessage().contains("opencl:0:0 (pthread-haswell)"), none.getMessage());
  }

  @Test
  void anAmbiguousNamePartIsAUsageError() {
    DeviceInfo second = info("opencl", "opencl:0:1", "pthread-haswell", "cpu", true, null);
    EngineException e = refused("pthread", Precision.SINGLE, JAVA, POCL, second);
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains("opencl:0:1"), e.getMessage());
  }

  @Test
  void tornadoIsRefusedWithTheReason() {
    for (String t : List.of("tornado", "tornado:Arc")) {
      EngineException e = refused(t, Precision.SINGLE, JAVA, POCL);
      assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
      assertTrue(e.getMessage().contains("not part of this build"), e.getMessage());
    }
  }

  @Test
  void aMalformedOpenClNumberIsAUsageError() {
    EngineException e =
        assertThrows(EngineException.class, () -> DeviceRequest.parse("opencl:0", "--device"));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
  }

  @Test
  void optionBeatsVariableBeatsExperiment() {
    Map<String, String> env = Map.of("STARLING_DEVICE", "reference");
    assertEquals("java", DeviceRequest.resolve("java", env, "gpu").text());
    assertEquals("reference", DeviceRequest.resolve(null, env, "gpu").text());
    assertEquals("gpu", DeviceRequest.resolve(null, Map.of(), "gpu").text());
    assertEquals("auto", DeviceRequest.resolve(null, Map.of(), null).text());
  }

  @Test
  void aProviderThatFailsToListTakesDownItselfOnly() {
    EngineProvider bad =
        new Fixed("opencl", List.of()) {
          @Override
          public List<DeviceInfo> devices() {
            throw new UnsatisfiedLinkError("libOpenCL.so.1: cannot open shared object file");
          }
        };
    DeviceCatalogue all = DeviceCatalogue.of(List.of(bad, new Fixed("java", List.of(JAVA))));
    Selection s =
        new DeviceSelector(all, false)
            .select(DeviceRequest.parse("auto", "--device"), Precision.SINGLE);
    assertEquals("java", s.device().id());
    assertTrue(s.describe().contains("cannot open shared object file"), s.describe());
  }

  /** A broken driver must not harm a run that does without it. */
  @Test
  void anEngineAskedForByNameKeepsTheOthersAsleep() {
    for (String engine : List.of("java", "reference")) {
      DeviceCatalogue found = DeviceCatalogue.discover(DeviceRequest.parse(engine, "--device"));
      for (DeviceCatalogue.Entry e : found.entries()) {
        String expected = e.device().engine().equals(engine) ? null : Selection.NOT_ASKED_FOR;
        assertEquals(expected, e.device().unavailable(), e.device().toString());
      }
      assertEquals(3, found.entries().size());
    }
  }

  @Test
  void autoPassesOverWhatCannotRunAUsersJavaInteraction() {
    DeviceCatalogue all =
        DeviceCatalogue.of(
            List.of(new Fixed("opencl", List.of(POCL)), new Fixed("java", List.of(JAVA))));
    Selection s =
        new DeviceSelector(all, true)
            .select(DeviceRequest.parse("auto", "--device"), Precision.SINGLE);
    assertEquals("java", s.device().id());
    assertTrue(s.describe().contains("model.interaction"), s.describe());
  }

  private static String chosen(String request, Precision p, DeviceInfo... devices) {
    return select(request, p, devices).device().id();
  }

  private static EngineException refused(String request, Precision p, DeviceInfo... devices) {
    return assertThrows(EngineException.class, () -> select(request, p, devices));
  }

  private static Selection select(String request, Precision p, DeviceInfo... devices) {
    List<EngineProvider> providers = new ArrayList<>();
    for (DeviceInfo d : devices) {
      providers.add(new Fixed(d.engine(), List.of(d)));
    }
    return new DeviceSelector(DeviceCatalogue.of(providers), false)
        .select(DeviceRequest.parse(request, "--device"), p);
  }

  private static DeviceInfo info(
      String engine, String id, String name, String type, boolean fp64, String why) {
    return new DeviceInfo(engine, id, name, type, fp64, 1L << 30, 1L << 30, why, Map.of());
  }

  /** Lists what it was given; nothing here opens an engine. */
  private static class Fixed implements EngineProvider {
    private final String engine;
    private final List<DeviceInfo> devices;

    Fixed(String engine, List<DeviceInfo> devices) {
      this.engine = engine;
      this.devices = devices;
    }

    @Override
    public String engine() {
      return engine;
    }

    @Override
    public List<DeviceInfo> devices() {
      return devices;
    }

    @Override
    public Engine open(DeviceInfo device, EngineOptions options) {
      throw new AssertionError("selection opens nothing");
    }
  }
}
