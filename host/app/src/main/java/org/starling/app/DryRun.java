package org.starling.app;

import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.experiment.SaveSpec.Schedule;
import org.starling.core.model.Precision;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observers;
import org.starling.core.verify.Variant;

/** What a run would need, without computing it. */
final class DryRun {
  private DryRun() {}

  static void print(
      Terminal terminal, ResolvedExperiment resolved, MemoryPlan plan, Engine engine) {
    EngineIdentity identity = engine.identity();
    Precision precision = resolved.experiment().execution().precision();
    StringBuilder text = new StringBuilder();
    text.append(RunSummary.title(resolved)).append(System.lineSeparator());
    if (resolved.experiment().sweep() != null) {
      text.append("sweep ")
          .append(SweepText.of(resolved.experiment()))
          .append(System.lineSeparator());
    }
    text.append("run id ").append(resolved.id()).append(System.lineSeparator());
    text.append("memory on ").append(identity.device()).append(':').append(System.lineSeparator());
    text.append(MemoryReport.table(plan));
    text.append("variants:").append(System.lineSeparator());
    for (Variant v : Specification.variants(resolved, engine)) {
      text.append("  ").append(v.label()).append(System.lineSeparator());
    }
    identity
        .settings()
        .forEach(
            (k, v) ->
                text.append("  ").append(k).append(" = ").append(v).append(System.lineSeparator()));
    long frames = frames(resolved.experiment().save().schedule(), resolved.experiment().stop().t());
    long bytes = precision == Precision.SINGLE ? 4 : 8;
    boolean trajectory = Boolean.TRUE.equals(resolved.experiment().save().trajectory());
    long size =
        resolved.shape().size() * bytes * (trajectory ? frames + 1 : 1)
            + entryBytes(resolved) * frames;
    text.append("output: about ")
        .append(frames)
        .append(" reports, ")
        .append(trajectory ? "positions in each, " : "no positions but the last, ")
        .append(MemoryReport.bytes(size))
        .append(System.lineSeparator());
    terminal.out().print(text);
  }

  /** Bytes that a report adds to the files of observables. */
  private static long entryBytes(ResolvedExperiment resolved) {
    long bytes = 0;
    for (Column c : Observers.columns(Specification.observers(resolved), resolved.shape())) {
      long number = c.kind() == Column.Kind.LABELS ? Integer.BYTES : Long.BYTES;
      boolean filed = c.array() || resolved.shape().replicas() > 1;
      bytes += filed ? number * Math.max(1, c.length()) * resolved.shape().replicas() : 0;
    }
    return bytes;
  }

  /** Reports of a run to the end, within one. */
  static long frames(Schedule schedule, double end) {
    if (schedule instanceof Schedule.Every every) {
      return (long) Math.ceil(end / every.interval()) + 1;
    }
    if (schedule instanceof Schedule.Log log) {
      return log.count() + 2L;
    }
    return ((Schedule.Times) schedule).times().size() + 2L;
  }
}
