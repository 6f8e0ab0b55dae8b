package org.starling.app.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts about a machine that {@code doctor} looks at; a port, so that every fault is testable.
 */
public interface Machine {
  /** Operating system with version and architecture. */
  String system();

  /** Java version, vendor and home in a line. */
  String java();

  /** Feature version of the running Java, e.g. 17. */
  int javaFeature();

  String processor();

  int processors();

  /** Physical memory in bytes, or -1 if unknown. */
  long memoryBytes();

  /** Largest heap of this JVM in bytes. */
  long heapBytes();

  /** The folder for temporary files, where native libraries are unpacked. */
  Path temporaryFolder();

  /** Null when a program can be run from the temporary folder, else what happened. */
  String runFromTemporaryFolder();

  /** The OpenCL loader library, if found where loaders are installed. */
  Optional<Path> openClLoader();

  /** Where drivers are registered, with the registered names; empty without any. */
  List<String> openClDrivers();

  /**
   * Whether this JVM's signal handlers stay before those that the compiler of an OpenCL driver sets
   * (libjsig is loaded, or the system has none such).
   */
  boolean keepsItsSignals();

  /** Null when text can be drawn into an image, else what happened. */
  Throwable drawText();

  /** Whether this JVM is set to work without a display. */
  boolean headless();

  /** Null when certificates and logs can be written, else what happened. */
  String writeCache();

  /** The folder of certificates and logs. */
  Path cacheFolder();

  /** Environment variables that change what happens, in order. */
  Map<String, String> variables();
}
