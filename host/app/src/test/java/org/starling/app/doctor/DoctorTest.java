package org.starling.app.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.HeadlessException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.app.device.DeviceCatalogue;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;

/** Every fault of a machine leads to a message with the next step. */
final class DoctorTest {
  private static final DeviceInfo JAVA = device("java", "java", "jvm", true, null);
  private static final DeviceInfo GPU = device("opencl", "opencl:0:0", "gpu", false, null);

  private final FakeMachine machine = new FakeMachine();

  private static DeviceInfo device(
      String engine, String id, String type, boolean fp64, String unavailable) {
    long size = 1L << 30;
    return new DeviceInfo(engine, id, "name", type, fp64, size, size, unavailable, Map.of());
  }

  private List<Finding> findings(DeviceInfo... devices) {
    List<EngineProvider> providers = new ArrayList<>();
    for (DeviceInfo d : devices) {
      providers.add(new Listed(d));
    }
    Doctor doctor = new Doctor(machine, DeviceCatalogue.of(providers));
    List<Finding> all = new ArrayList<>(doctor.machine());
    all.addAll(doctor.devices());
    return all;
  }

  private static void names(List<Finding> all, EnvironmentFault fault, String... details) {
    assertTrue(
        all.stream()
            .anyMatch(f -> f.text().startsWith(fault.what()) && f.next().equals(fault.next())),
        () -> fault + " in " + all);
    for (String detail : details) {
      assertTrue(all.toString().contains(detail), () -> detail + " in " + all);
    }
  }

  private static boolean has(List<Finding> all, Finding.Level level) {
    return all.stream().anyMatch(f -> f.level() == level);
  }

  @Test
  void aSoundMachineHasNoFaults() {
    List<Finding> all = findings(JAVA, device("opencl", "opencl:0:0", "gpu", true, null));
    assertFalse(has(all, Finding.Level.WARNING) || has(all, Finding.Level.ERROR), all::toString);
  }

  @Test
  void aMissingLoaderIsNamed() {
    machine.loader = Optional.empty();
    names(findings(JAVA), EnvironmentFault.NO_LOADER, "ocl-icd-libopencl1");
  }

  @Test
  void aLoaderWithoutDriversIsNamed() {
    machine.drivers = List.of();
    names(findings(JAVA), EnvironmentFault.NO_ICD, "pocl-opencl-icd");
  }

  @Test
  void driversWithoutADeviceAreError1001() {
    names(findings(JAVA), EnvironmentFault.PLATFORM_NOT_FOUND, "-1001", "OCL_ICD_VENDORS");
  }

  @Test
  void aTemporaryFolderWithoutExecutionIsNamedWithWhatHappened() {
    machine.run = "error=13, Permission denied";
    names(
        findings(JAVA, GPU),
        EnvironmentFault.NOEXEC_TEMPORARY,
        "Permission denied",
        "-Djava.io.tmpdir");
  }

  @Test
  void signalsLeftToDriversAreNamed() {
    machine.signals = false;
    names(findings(JAVA, GPU), EnvironmentFault.NO_SIGNALS, "./starling", "LD_PRELOAD");
  }

  @Test
  void noFp64IsNamed() {
    names(findings(JAVA, GPU), EnvironmentFault.NO_FP64, "--precision mixed");
  }

  @Test
  void aDisplayThatCannotBeReachedIsNamed() {
    machine.drawing = new HeadlessException("no display");
    names(findings(JAVA, GPU), EnvironmentFault.HEADLESS, "java.awt.headless=true");
  }

  @Test
  void missingFontsAreNamed() {
    machine.drawing = new RuntimeException("Fontconfig head is null, check your fonts");
    names(findings(JAVA, GPU), EnvironmentFault.NO_FONTS, "fonts-dejavu-core");
  }

  @Test
  void aSmallHeapIsNamed() {
    machine.heap = 64L << 20;
    names(findings(JAVA, GPU), EnvironmentFault.LITTLE_MEMORY, "64 MiB", "-Xmx4g");
  }

  @Test
  void anOldJavaIsAnError() {
    machine.feature = 11;
    List<Finding> all = findings(JAVA, GPU);
    names(all, EnvironmentFault.OLD_JAVA, "Java 11", "JAVA_HOME");
    assertTrue(has(all, Finding.Level.ERROR), all::toString);
  }

  @Test
  void aCacheThatCannotBeWrittenIsNamed() {
    machine.cache = "java.nio.file.AccessDeniedException: /x";
    names(findings(JAVA, GPU), EnvironmentFault.NO_CACHE, "AccessDenied", "STARLING_HOME");
  }

  @Test
  void noUsableDeviceIsAnError() {
    List<Finding> all = findings(device("opencl", "opencl", "none", false, "no driver"));
    assertTrue(has(all, Finding.Level.ERROR), all::toString);
    assertTrue(all.toString().contains("cannot be used: no driver"), all::toString);
  }

  @Test
  void faultsAreRecognisedBehindExceptions() {
    recognised(EnvironmentFault.NO_LOADER, new UnsatisfiedLinkError("libOpenCL.so.1: cannot open"));
    recognised(
        EnvironmentFault.NOEXEC_TEMPORARY,
        new UnsatisfiedLinkError("/tmp/libJOCL.so: failed to map segment from shared object"));
    recognised(
        EnvironmentFault.PLATFORM_NOT_FOUND, new RuntimeException("CL_PLATFORM_NOT_FOUND_KHR"));
    recognised(EnvironmentFault.LITTLE_MEMORY, new OutOfMemoryError("Java heap space"));
    recognised(EnvironmentFault.OLD_JAVA, new UnsupportedClassVersionError("61.0"));
    recognised(EnvironmentFault.HEADLESS, new HeadlessException());
    assertEquals(
        Optional.empty(), EnvironmentFault.behind(new RuntimeException("the number was -1001.5")));
  }

  private static void recognised(EnvironmentFault fault, Throwable thrown) {
    assertEquals(
        Optional.of(fault), EnvironmentFault.behind(new IllegalStateException("outer", thrown)));
  }

  @ParameterizedTest
  @EnumSource(EnvironmentFault.class)
  void everyFaultSaysWhatIsWrongAndWhatToDo(EnvironmentFault fault) {
    assertTrue(fault.what().length() > 20, fault.what());
    assertTrue(fault.next().endsWith("."), fault.next());
    assertTrue(fault.sentence().contains(". "), fault.sentence());
  }

  /** Lists one device. */
  private record Listed(DeviceInfo device) implements EngineProvider {
    @Override
    public String engine() {
      return device.engine();
    }

    @Override
    public List<DeviceInfo> devices() {
      return List.of(device);
    }

    @Override
    public Engine open(DeviceInfo d, EngineOptions options) {
      throw new AssertionError("nothing is opened here");
    }
  }
}
