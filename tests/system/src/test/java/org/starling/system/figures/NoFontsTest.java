package org.starling.system.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.starling.app.figures.FigureOptions;
import org.starling.app.figures.FigureReport;
import org.starling.app.figures.Figures;
import org.starling.core.observe.Observers;
import org.starling.core.run.OutputTimes;

/** A Java without fonts, as a small server has it, writes the data and says what to install. */
final class NoFontsTest {
  /** What the other process runs: draws a directory and prints what was skipped. */
  static final class Draw {
    private Draw() {}

    public static void main(String[] arguments) {
      FigureReport report = Figures.draw(Path.of(arguments[0]), FigureOptions.defaults());
      report.skipped().forEach(s -> System.out.println(s.figure() + ": " + s.reason()));
    }
  }

  @TempDir Path temp;

  @Test
  @EnabledOnOs(OS.LINUX)
  void dataAreWrittenAndTheNextStepIsSaid() throws IOException, InterruptedException {
    Path run =
        DrawnRun.make(
            temp,
            "tokens: {n: 5, d: 2}\nstop: {t: 1}\nobserve: [energy]\nsave: {every: 0.5}\n",
            OutputTimes.every(0.5),
            Observers.named("energy"));
    Path empty = Files.writeString(temp.resolve("fonts.conf"), "<fontconfig></fontconfig>");
    Path out = temp.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Java keeps a list of fonts in the home folder.
            "-Duser.home=" + temp,
            "-cp",
            System.getProperty("java.class.path"),
            Draw.class.getName(),
            run.toString());
    builder.environment().put("FONTCONFIG_FILE", empty.toString());
    builder.redirectErrorStream(true).redirectOutput(out.toFile());
    int exit = builder.start().waitFor();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertEquals(0, exit, said);
    for (String figure : new String[] {"tokens", "energy-clusters", "spectrum"}) {
      assertTrue(said.contains(figure + ": the data are in the .csv file"), said);
      assertTrue(Files.exists(run.resolve("figures").resolve(figure + ".csv")), figure);
      assertFalse(Files.exists(run.resolve("figures").resolve(figure + ".png")), figure);
    }
    assertTrue(said.contains("apt-get install fontconfig fonts-dejavu-core"), said);
  }
}
