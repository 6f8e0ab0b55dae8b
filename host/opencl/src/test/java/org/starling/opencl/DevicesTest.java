package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jocl.CL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Precision;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.ClUnavailableException;
import org.starling.opencl.cl.Handle;

/** Listing devices never throws, and what cannot be used says why. */
class DevicesTest {
  @TempDir Path folder;

  /** Answers of a driver, where a test wants others than the real ones. */
  private interface Answer {
    Object to(String call, Object[] arguments) throws Throwable;
  }

  private static ClApi answering(ClApi real, Answer answer) {
    return (ClApi)
        Proxy.newProxyInstance(
            ClApi.class.getClassLoader(),
            new Class<?>[] {ClApi.class},
            (proxy, method, arguments) -> {
              Object own = answer.to(method.getName(), arguments);
              if (own != null) {
                return own;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static ClException broken(String call) {
    return new ClException(call, -5, "CL_OUT_OF_RESOURCES", "made up", null);
  }

  @Test
  void absentOpenClIsOneUnusableDeviceWithTheReason() {
    OpenClProvider provider =
        new OpenClProvider(
            new Devices(
                () -> {
                  throw new ClUnavailableException("no OpenCL loader is installed", null);
                }),
            TestDevices.store());
    List<DeviceInfo> devices = provider.devices();
    assertEquals(1, devices.size());
    assertFalse(devices.get(0).usable());
    assertEquals("no OpenCL loader is installed", devices.get(0).unavailable());
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> provider.open(devices.get(0), EngineOptions.of(Precision.SINGLE)));
    assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
    assertTrue(e.getMessage().contains("no OpenCL loader is installed"), e.getMessage());
  }

  @Test
  void aBrokenDeviceDoesNotHideTheOthers() {
    ClApi real = TestDevices.api();
    List<Handle> twins = new ArrayList<>();
    ClApi api =
        answering(
            real,
            (call, arguments) -> {
              if (call.equals("devices")) {
                Handle device = real.devices((Handle) arguments[0]).get(0);
                twins.clear();
                twins.add(new Handle(Handle.Kind.DEVICE, "0:0", device.raw()));
                twins.add(new Handle(Handle.Kind.DEVICE, "0:1", device.raw()));
                return twins;
              }
              if (call.equals("deviceInfo") && arguments[0] == twins.get(0)) {
                throw broken("clGetDeviceInfo");
              }
              return null;
            });
    OpenClProvider provider = TestDevices.provider(api);
    List<DeviceInfo> devices = provider.devices();
    assertFalse(devices.get(0).usable());
    assertTrue(devices.get(0).unavailable().contains("CL_OUT_OF_RESOURCES"));
    assertTrue(devices.get(1).usable());
    assertEquals("opencl:0:1", devices.get(1).id());
    provider.open(devices.get(1), EngineOptions.of(Precision.SINGLE)).close();
  }

  @Test
  void doubleIsRefusedWithoutFloat64NamingTheAlternatives() {
    ClApi api =
        answering(
            TestDevices.api(),
            (call, arguments) ->
                call.equals("deviceInfo") && (int) arguments[1] == CL.CL_DEVICE_DOUBLE_FP_CONFIG
                    ? new byte[8]
                    : null);
    OpenClProvider provider = TestDevices.provider(api);
    DeviceInfo device = TestDevices.first(provider);
    assertFalse(device.fp64());
    EngineException e =
        assertThrows(
            EngineException.class, () -> provider.open(device, EngineOptions.of(Precision.DOUBLE)));
    assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
    assertTrue(e.getMessage().contains("mixed"), e.getMessage());
    assertTrue(e.getMessage().contains("java"), e.getMessage());
    provider.open(device, EngineOptions.of(Precision.MIXED)).close();
  }

  @Test
  void withoutDriversTheListSaysWhatToInstall() throws Exception {
    TestDevices.api();
    Path none = Files.createDirectory(folder.resolve("none"));
    String said =
        ForkedJvm.run(DeviceList.class, folder, Map.of("OCL_ICD_VENDORS", none.toString()));
    assertTrue(said.contains("CL_PLATFORM_NOT_FOUND"), said);
    assertTrue(said.contains("pocl-opencl-icd"), said);
  }

  @Test
  void aBindingThatCannotBeUnpackedSaysWhere() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    String said =
        ForkedJvm.run(
            DeviceList.class, folder, Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + file));
    assertTrue(said.contains("java.io.tmpdir"), said);
    assertTrue(said.contains("--device java"), said);
  }

  @Test
  void twoDevicesAreTwoEngines() throws Exception {
    TestDevices.api();
    String said =
        ForkedJvm.run(DeviceList.class, folder, Map.of("POCL_DEVICES", "pthread pthread"));
    if (!said.contains("Portable Computing Language")) {
      TestDevices.absent("only PoCL can offer one device twice");
    }
    assertTrue(said.contains("opencl:0:0 opened"), said);
    assertTrue(said.contains("opencl:0:1 opened"), said);
  }

  /** Prints the devices, and opens those it can. */
  static final class DeviceList {
    private DeviceList() {}

    public static void main(String[] arguments) {
      OpenClProvider provider = new OpenClProvider();
      for (DeviceInfo device : provider.devices()) {
        System.out.println(device);
        if (device.usable()) {
          provider.open(device, EngineOptions.of(Precision.SINGLE)).close();
          System.out.println(device.id() + " opened");
        }
      }
    }
  }
}
