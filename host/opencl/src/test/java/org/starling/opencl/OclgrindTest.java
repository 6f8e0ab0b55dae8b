package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.model.Precision;

/** No kernel reads or writes out of bounds, races, or reads what was never written. */
class OclgrindTest {
  private static final Path CHECKER = Path.of("/usr/lib/oclgrind/liboclgrind-rt-icd.so");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Precision.class)
  void findsNothingToComplainAbout(Precision precision) throws Exception {
    if (!Files.exists(CHECKER)) {
      TestDevices.absent(CHECKER + " is not installed (Debian package oclgrind)");
    }
    Path vendors = Files.createDirectory(folder.resolve("icd"));
    Files.writeString(vendors.resolve("oclgrind.icd"), CHECKER.toString());
    Path log = folder.resolve("log");
    String output =
        ForkedJvm.run(
            OclgrindProbe.class,
            folder,
            Map.of(
                "OCL_ICD_VENDORS", vendors.toString(),
                "OCLGRIND_DATA_RACES", "1",
                "OCLGRIND_UNINITIALIZED", "1",
                "OCLGRIND_CHECK_API", "1",
                "OCLGRIND_LOG", log.toString()),
            precision.name());
    assertTrue(output.contains("platform=Oclgrind"), output);
    assertTrue(output.contains("done"), output);
    assertEquals("", Files.readString(log, StandardCharsets.UTF_8));
  }
}
