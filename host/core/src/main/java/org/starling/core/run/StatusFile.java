package org.starling.core.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.core.store.Json;
import org.starling.core.store.RunDirectory;

/** {@code status.json}: the progress of a run for other programs, replaced as a whole. */
final class StatusFile {
  private final RunDirectory directory;

  StatusFile(RunDirectory directory) {
    this.directory = directory;
  }

  void write(Progress progress) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("t", progress.t());
    facts.put("t_end", progress.tEnd());
    facts.put("fraction", progress.fraction());
    facts.put("steps", progress.steps());
    facts.put("step_size", progress.stepSize());
    facts.put("reports", progress.frames());
    facts.put("reports_expected", progress.framesExpected());
    facts.put("replicas_running", progress.running());
    facts.put("steps_per_second", progress.stepsPerSecond());
    facts.put("seconds_left", known(progress.secondsLeft()));
    facts.put("updated", java.time.Instant.now().toString());
    facts.put("outcome", progress.outcome() == null ? null : progress.outcome().kind().label());
    // Not made durable: after a lost power supply it says nothing of use.
    Path draft = directory.path().resolve(".status.json.new");
    directory.store().write(draft, Json.document(facts));
    directory.store().move(draft, directory.status());
  }

  private static Object known(double seconds) {
    return Double.isNaN(seconds) ? null : (Object) seconds;
  }
}
