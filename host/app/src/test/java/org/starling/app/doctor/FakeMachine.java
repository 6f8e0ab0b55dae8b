package org.starling.app.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A machine in order, but for what a test changes. */
final class FakeMachine implements Machine {
  int feature = 17;
  boolean signals = true;
  long heap = 4L << 30;
  String run;
  String cache;
  Optional<Path> loader = Optional.of(Path.of("/usr/lib/libOpenCL.so.1"));
  List<String> drivers = List.of("/etc/OpenCL/vendors/x.icd -> libx.so");
  Throwable drawing;

  @Override
  public String system() {
    return "Linux";
  }

  @Override
  public String java() {
    return "Java " + feature;
  }

  @Override
  public int javaFeature() {
    return feature;
  }

  @Override
  public String processor() {
    return "a processor";
  }

  @Override
  public int processors() {
    return 2;
  }

  @Override
  public long memoryBytes() {
    return 8L << 30;
  }

  @Override
  public long heapBytes() {
    return heap;
  }

  @Override
  public Path temporaryFolder() {
    return Path.of("/tmp");
  }

  @Override
  public String runFromTemporaryFolder() {
    return run;
  }

  @Override
  public Optional<Path> openClLoader() {
    return loader;
  }

  @Override
  public List<String> openClDrivers() {
    return drivers;
  }

  @Override
  public boolean keepsItsSignals() {
    return signals;
  }

  @Override
  public Throwable drawText() {
    return drawing;
  }

  @Override
  public boolean headless() {
    return true;
  }

  @Override
  public String writeCache() {
    return cache;
  }

  @Override
  public Path cacheFolder() {
    return Path.of("/home/x");
  }

  @Override
  public Map<String, String> variables() {
    return Map.of();
  }
}
