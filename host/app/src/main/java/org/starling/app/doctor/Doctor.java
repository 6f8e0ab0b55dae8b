package org.starling.app.doctor;

import static org.starling.app.doctor.Finding.Level.ERROR;
import static org.starling.app.doctor.Finding.Level.WARNING;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starling.app.device.DeviceCatalogue;
import org.starling.core.engine.DeviceInfo;

/** Examines a machine and its devices; the findings are meant to be pasted into a bug report. */
public final class Doctor {
  /** Below this heap even modest runs get into trouble. */
  private static final long SMALL_HEAP = 256L << 20;

  private static final int OLDEST_JAVA = 17;

  private final Machine machine;
  private final DeviceCatalogue catalogue;

  public Doctor(Machine machine, DeviceCatalogue catalogue) {
    this.machine = machine;
    this.catalogue = catalogue;
  }

  /** The machine: system, Java, memory, folders, drawing, OpenCL installation. */
  public List<Finding> machine() {
    List<Finding> found = new ArrayList<>();
    found.add(Finding.info("system", machine.system()));
    found.add(
        machine.javaFeature() < OLDEST_JAVA
            ? Finding.fault(ERROR, "java", EnvironmentFault.OLD_JAVA, machine.java())
            : Finding.ok("java", machine.java()));
    found.add(
        Finding.info("processor", machine.processor() + ", " + machine.processors() + " threads"));
    long memory = machine.memoryBytes();
    found.add(
        Finding.info("memory", memory < 0 ? "unknown" : mebibytes(memory) + " MiB in the machine"));
    long heap = machine.heapBytes();
    found.add(
        heap < SMALL_HEAP
            ? Finding.fault(
                WARNING, "heap", EnvironmentFault.LITTLE_MEMORY, mebibytes(heap) + " MiB")
            : Finding.ok("heap", "up to " + mebibytes(heap) + " MiB"));
    String cache = machine.writeCache();
    found.add(
        cache == null
            ? Finding.ok("cache", machine.cacheFolder().toString())
            : Finding.fault(WARNING, "cache", EnvironmentFault.NO_CACHE, cache));
    found.add(drawing());
    machine.variables().forEach((name, value) -> found.add(Finding.info(name, value)));
    found.addAll(openCl());
    return found;
  }

  private Finding drawing() {
    Throwable t = machine.drawText();
    String mode = machine.headless() ? "without a display" : "with a display";
    if (t == null) {
      return Finding.ok("drawing", "figures can be drawn, " + mode);
    }
    EnvironmentFault fault = EnvironmentFault.behind(t).orElse(EnvironmentFault.NO_FONTS);
    return Finding.fault(WARNING, "drawing", fault, mode + ": " + t);
  }

  private List<Finding> openCl() {
    List<Finding> found = new ArrayList<>();
    String run = machine.runFromTemporaryFolder();
    found.add(
        run == null
            ? Finding.ok("temporary folder", machine.temporaryFolder() + ", programs run from it")
            : Finding.fault(
                WARNING,
                "temporary folder",
                EnvironmentFault.NOEXEC_TEMPORARY,
                machine.temporaryFolder() + ": " + run));
    if (machine.openClLoader().isEmpty()) {
      found.add(Finding.fault(WARNING, "OpenCL loader", EnvironmentFault.NO_LOADER, ""));
      return found;
    }
    found.add(Finding.ok("OpenCL loader", machine.openClLoader().get().toString()));
    List<String> drivers = machine.openClDrivers();
    if (drivers.isEmpty()) {
      found.add(Finding.fault(WARNING, "OpenCL drivers", EnvironmentFault.NO_ICD, ""));
    } else {
      drivers.forEach(d -> found.add(Finding.ok("OpenCL driver", d)));
      if (!machine.keepsItsSignals()) {
        found.add(Finding.fault(WARNING, "signals", EnvironmentFault.NO_SIGNALS, ""));
      }
      if (openClDevices().isEmpty()) {
        found.add(
            Finding.fault(WARNING, "OpenCL platforms", EnvironmentFault.PLATFORM_NOT_FOUND, ""));
      }
    }
    return found;
  }

  /** The devices of every engine with what can be said without using them. */
  public List<Finding> devices() {
    List<Finding> found = new ArrayList<>();
    for (DeviceCatalogue.Entry e : catalogue.entries()) {
      DeviceInfo d = e.device();
      found.add(
          d.usable()
              ? Finding.ok(d.id(), describe(d))
              : new Finding(WARNING, d.id(), "cannot be used: " + d.unavailable(), ""));
    }
    List<DeviceInfo> openCl = openClDevices();
    if (!openCl.isEmpty() && openCl.stream().noneMatch(DeviceInfo::fp64)) {
      found.add(Finding.fault(WARNING, "fp64", EnvironmentFault.NO_FP64, ""));
    }
    if (catalogue.entries().stream().noneMatch(e -> e.device().usable())) {
      found.add(
          new Finding(
              ERROR,
              "devices",
              "no engine can compute here",
              "The program is incomplete: build it again with ./mvnw -q verify."));
    }
    return found;
  }

  private List<DeviceInfo> openClDevices() {
    return catalogue.entries().stream()
        .map(DeviceCatalogue.Entry::device)
        .filter(d -> d.engine().equals("opencl") && d.usable())
        .toList();
  }

  private static String describe(DeviceInfo d) {
    StringBuilder text = new StringBuilder();
    text.append(d.name()).append(", ").append(d.type());
    text.append(", ").append(mebibytes(d.memoryBytes())).append(" MiB");
    text.append(d.fp64() ? ", fp64" : ", no fp64");
    d.properties().forEach((k, v) -> text.append(", ").append(k).append(' ').append(v));
    return text.toString();
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%d", bytes >> 20);
  }
}
