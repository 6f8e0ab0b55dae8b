package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Precision;

/** What the checker sees while every kernel runs at the edges of its tiles: nothing. */
@Tag("oclgrind")
class OclgrindTest {
  private static final Path CHECKER = Path.of("/usr/lib/oclgrind/liboclgrind-rt-icd.so");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"SINGLE,cpu", "SINGLE,gpu", "MIXED,cpu", "DOUBLE,gpu"})
  void stateKernelsStayInBoundsAndReadOnlyWhatWasWritten(Precision precision, String family)
      throws Exception {
    check(Map.of("OCLGRIND_UNINITIALIZED", "1"), precision.name(), family, "states");
  }

  @ParameterizedTest
  @CsvSource({"SINGLE,cpu", "SINGLE,gpu", "MIXED,cpu", "MIXED,gpu", "DOUBLE,cpu", "DOUBLE,gpu"})
  void layerKernelsStayInBoundsAndDoNotRace(Precision precision, String family) throws Exception {
    check(Map.of(), precision.name(), family, "layers");
  }

  @ParameterizedTest
  @CsvSource({"SINGLE,cpu", "MIXED,gpu"})
  void seriesStayInBoundsAndDoNotRace(Precision precision, String family) throws Exception {
    check(Map.of(), precision.name(), family, "series");
  }

  private void check(Map<String, String> more, String... arguments) throws Exception {
    if (!Files.exists(CHECKER)) {
      TestDevices.absent(CHECKER + " is not installed (Debian package oclgrind)");
    }
    Path vendors = Files.createDirectory(folder.resolve("icd"));
    Files.writeString(vendors.resolve("oclgrind.icd"), CHECKER.toString());
    Path log = folder.resolve("log");
    Map<String, String> environment = new HashMap<>(more);
    environment.put("OCL_ICD_VENDORS", vendors.toString());
    environment.put("OCLGRIND_DATA_RACES", "1");
    environment.put("OCLGRIND_CHECK_API", "1");
    environment.put("OCLGRIND_LOG", log.toString());
    String output = ForkedJvm.run(OclgrindProbe.class, folder, environment, arguments);
    assertTrue(output.contains("platform=Oclgrind"), output);
    assertTrue(output.contains("done"), output);
    assertEquals("", Files.readString(log));
  }
}
