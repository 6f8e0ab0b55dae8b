package org.starling.app.doctor;

import com.sun.management.OperatingSystemMXBean;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine this JVM runs on. */
public final class LocalMachine implements Machine {
  private static final List<String> LOADER_NAMES = List.of("libOpenCL.so.1", "OpenCL.dll");
  private static final List<String> LOADER_FOLDERS =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/lib",
          "/lib/x86_64-linux-gnu",
          "/usr/local/lib",
          "/opt/rocm/lib",
          "/opt/intel/oneapi/compiler/latest/lib",
          "C:\\Windows\\System32");
  private static final Path MAC_LOADER = Path.of("/System/Library/Frameworks/OpenCL.framework");
  private static final Path VENDORS = Path.of("/etc/OpenCL/vendors");

  private final Map<String, String> environment;
  private final Path cache;

  /**
   * @param cache folder of certificates and logs
   */
  public LocalMachine(Map<String, String> environment, Path cache) {
    this.environment = environment;
    this.cache = cache;
  }

  @Override
  public String system() {
    return property("os.name") + " " + property("os.version") + " " + property("os.arch");
  }

  @Override
  public String java() {
    return property("java.runtime.version")
        + ", "
        + property("java.vendor")
        + ", "
        + property("java.home");
  }

  @Override
  public int javaFeature() {
    return Runtime.version().feature();
  }

  @Override
  public String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(l -> l.startsWith("model name"))
          .map(l -> l.substring(l.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(property("os.arch"));
    } catch (IOException | RuntimeException e) {
      return property("os.arch");
    }
  }

  @Override
  public int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public long memoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
        ? os.getTotalMemorySize()
        : -1;
  }

  @Override
  public long heapBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  @Override
  public Path temporaryFolder() {
    return Path.of(property("java.io.tmpdir"));
  }

  @Override
  public String runFromTemporaryFolder() {
    boolean windows = property("os.name").toLowerCase(Locale.ROOT).contains("windows");
    Path script = null;
    try {
      script = Files.createTempFile(temporaryFolder(), "starling-check", windows ? ".cmd" : ".sh");
      Files.writeString(script, windows ? "@exit 0\r\n" : "#!/bin/sh\nexit 0\n");
      if (!script.toFile().setExecutable(true)) {
        return "a file there cannot be made executable";
      }
      Process p = new ProcessBuilder(script.toString()).start();
      if (!p.waitFor(10, TimeUnit.SECONDS)) {
        p.destroy();
        return "a two-line script there did not end within 10 s";
      }
      return p.exitValue() == 0 ? null : "a two-line script there ended with " + p.exitValue();
    } catch (IOException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "the check was interrupted";
    } finally {
      if (script != null) {
        script.toFile().delete();
      }
    }
  }

  @Override
  public Optional<Path> openClLoader() {
    List<String> folders = new ArrayList<>();
    String path = environment.get("LD_LIBRARY_PATH");
    if (path != null) {
      folders.addAll(List.of(path.split(java.io.File.pathSeparator)));
    }
    folders.addAll(LOADER_FOLDERS);
    for (String folder : folders) {
      for (String name : LOADER_NAMES) {
        Path p = Path.of(folder).resolve(name);
        if (Files.exists(p)) {
          return Optional.of(p);
        }
      }
    }
    return Files.exists(MAC_LOADER) ? Optional.of(MAC_LOADER) : Optional.empty();
  }

  @Override
  public List<String> openClDrivers() {
    String setting = environment.get("OCL_ICD_VENDORS");
    Path place = setting == null || setting.isBlank() ? VENDORS : Path.of(setting);
    List<String> drivers = new ArrayList<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> list = Files.list(place)) {
        for (Path p : list.filter(f -> f.toString().endsWith(".icd")).sorted().toList()) {
          String library = Files.readString(p, StandardCharsets.UTF_8).strip();
          drivers.add(p + " -> " + library);
        }
      } catch (IOException e) {
        drivers.add(place + ": " + e.getMessage());
      }
    } else if (Files.exists(place)) {
      drivers.add(place.toString());
    }
    return drivers;
  }

  @Override
  public boolean keepsItsSignals() {
    Path maps = Path.of("/proc/self/maps");
    if (!Files.exists(maps)) {
      return true;
    }
    try (Stream<String> lines = Files.lines(maps)) {
      return lines.anyMatch(l -> l.contains("libjsig"));
    } catch (IOException | java.io.UncheckedIOException e) {
      return true;
    }
  }

  @Override
  public Throwable drawText() {
    try {
      BufferedImage image = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
      Graphics2D g = image.createGraphics();
      g.drawString("x", 2, 12);
      g.dispose();
      return null;
    } catch (RuntimeException | LinkageError e) {
      return e;
    }
  }

  @Override
  public boolean headless() {
    return GraphicsEnvironment.isHeadless();
  }

  @Override
  public String writeCache() {
    try {
      Files.createDirectories(cache);
      Files.delete(Files.createTempFile(cache, "check", null));
      return null;
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public Path cacheFolder() {
    return cache;
  }

  @Override
  public Map<String, String> variables() {
    Map<String, String> shown = new TreeMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.matches(
              "(STARLING|POCL|OCL|OPENCL|OCLGRIND)_.*|JAVA_HOME|JAVA_OPTS|JAVA_TOOL_OPTIONS|LD_LIBRARY_PATH")) {
            shown.put(name, value);
          }
        });
    return shown;
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
