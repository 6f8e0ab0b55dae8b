package org.starling.system.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.observe.Observer;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunSpec;
import org.starling.core.run.Simulation;
import org.starling.core.store.FileStore;
import org.starling.core.store.RunDirectory;
import org.starling.cpu.reference.ReferenceEngine;

/** A small run on the reference engine, for figures to be drawn of. */
final class DrawnRun {
  private DrawnRun() {}

  /**
   * Runs an experiment to its end; its {@code save} block must name these output times.
   *
   * @param observers in the order of the experiment's {@code observe}
   */
  static Path make(Path directory, String yaml, OutputTimes outputs, Observer... observers) {
    ResolvedExperiment e = ExperimentFile.parse("test.yaml", yaml, directory, List.of()).resolve();
    RunSpec spec =
        new RunSpec(
            e.id(),
            e.yaml(),
            e.shape(),
            e.positions(),
            List.of(e.dynamics()),
            e.integrator(),
            e.experiment().stop().t(),
            outputs,
            e.experiment().save().trajectory(),
            List.of(observers),
            List.of(),
            e.experiment().seed(),
            List.of());
    Path run = directory.resolve("run");
    try (ReferenceEngine engine = new ReferenceEngine();
        RunDirectory files = RunDirectory.create(FileStore.disk(), run, e.yaml(), true)) {
      Simulation.run(spec, RunControl.plain(), engine, files);
    }
    return run;
  }

  /** Rows of a table, the names first. */
  static List<String[]> table(Path file) throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      rows.add(line.split(",", -1));
    }
    return rows;
  }

  /** A column of a table as numbers. */
  static double[] column(List<String[]> table, String name) {
    int c = Arrays.asList(table.get(0)).indexOf(name);
    if (c < 0) {
      throw new AssertionError("no column " + name + " in " + Arrays.toString(table.get(0)));
    }
    return table.stream().skip(1).mapToDouble(row -> Double.parseDouble(row[c])).toArray();
  }
}
