package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Precision;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.GroupTiles;

/** What the checker sees while every kernel runs at the edges of its tiles: nothing. */
@Tag("oclgrind")
class OclgrindTest {
  private static final String EVERY = "starling.every.shape";
  private static final int SETTINGS_PER_JVM = 3;
  private static final Path CHECKER = Path.of("/usr/lib/oclgrind/liboclgrind-rt-icd.so");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"SINGLE,cpu", "SINGLE,gpu", "MIXED,cpu", "DOUBLE,gpu"})
  void stateKernelsStayInBoundsAndReadOnlyWhatWasWritten(Precision precision, String family)
      throws Exception {
    check(Map.of("OCLGRIND_UNINITIALIZED", "1"), precision.name(), family, "states");
  }

  /** CPU devices take a token's coordinates 8 or 16 at a time where there are so many. */
  @Test
  void everyVectorOfCoordinatesStaysInBounds() throws Exception {
    List<String> precisions =
        Boolean.getBoolean(EVERY) ? List.of("SINGLE", "MIXED", "DOUBLE") : List.of("MIXED");
    for (String precision : precisions) {
      check(Map.of("OCLGRIND_UNINITIALIZED", "1"), precision, "cpu", "lanes");
    }
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

  @Test
  void keysOfSixteenBitsStayInBounds() throws Exception {
    check(Map.of(), "SINGLE", "cpu", "halves");
  }

  @ParameterizedTest
  @CsvSource({"SINGLE,gpu", "DOUBLE,cpu"})
  void attentionPathsStayInBoundsAndDoNotRace(Precision precision, String family) throws Exception {
    check(Map.of("OCLGRIND_UNINITIALIZED", "1"), precision.name(), family, "paths");
  }

  /**
   * The settings that a tuner may choose on some device: registers of 16, 32 or 64 bytes, local
   * memory from 32 KiB on. A few of them, since a checker takes its time; all with {@code
   * -Dstarling.every.shape=true}.
   */
  @ParameterizedTest
  @CsvSource({"SINGLE,cpu", "SINGLE,gpu", "DOUBLE,cpu", "DOUBLE,gpu"})
  void everyTileSizeStaysInBoundsAndDoesNotRace(Precision precision, String family)
      throws Exception {
    List<String> settings = settings(precision == Precision.DOUBLE, family.equals("cpu"));
    if (!Boolean.getBoolean(EVERY)) {
      settings = List.of(settings.get(1), settings.get(settings.size() - 1));
    }
    for (int from = 0; from < settings.size(); from += SETTINGS_PER_JVM) {
      List<String> arguments = new ArrayList<>(List.of(precision.name(), family, "tiles"));
      arguments.addAll(settings.subList(from, Math.min(settings.size(), from + SETTINGS_PER_JVM)));
      check(Map.of(), arguments.toArray(String[]::new));
    }
  }

  private static List<String> settings(boolean fp64, boolean cpu) {
    Set<String> settings = new LinkedHashSet<>();
    if (cpu) {
      for (int bytes : new int[] {16, 32, 64}) {
        for (int d : new int[] {9, 512}) {
          BlockTiles.candidates(fp64, d, BlockTiles.lanes(fp64, bytes))
              .forEach(t -> settings.add(t.text()));
        }
      }
    } else {
      GroupTiles.candidates(fp64, GroupTiles.LEAST_LOCAL_MEMORY, 256)
          .forEach(t -> settings.add(t.text()));
    }
    return List.copyOf(settings);
  }

  private void check(Map<String, String> more, String... arguments) throws Exception {
    if (!Files.exists(CHECKER)) {
      TestDevices.absent(CHECKER + " is not installed (Debian package oclgrind)");
    }
    Path vendors = Files.createDirectories(folder.resolve("icd"));
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
