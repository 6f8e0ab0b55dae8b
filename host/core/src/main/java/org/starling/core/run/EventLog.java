package org.starling.core.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Watch;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.StoreException;

/**
 * The conditions of a run, those that end it first, then those whose moments are noted; what they
 * remember, and the moments found. Goes into a checkpoint.
 */
final class EventLog {
  private final RunSpec spec;
  private final List<StopRule> rules = new ArrayList<>();
  private final double[][][] memory;

  /** Whether a condition that does not recur has been noted. */
  private final boolean[][] done;

  private final List<Event> events = new ArrayList<>();

  EventLog(RunSpec spec) {
    this.spec = spec;
    rules.addAll(spec.stops());
    rules.addAll(spec.events());
    memory = new double[rules.size()][][];
    done = new boolean[rules.size()][spec.shape().replicas()];
    for (int k = 0; k < memory.length; k++) {
      memory[k] = StopRule.memory(spec.shape().replicas());
    }
  }

  int size() {
    return rules.size();
  }

  StopRule rule(int k) {
    return rules.get(k);
  }

  /** Whether condition k ends a replica. */
  boolean ends(int k) {
    return k < spec.stops().size();
  }

  double[][] memory(int k) {
    return memory[k];
  }

  /** Whether condition k is still of interest in replica r. */
  boolean open(int k, int r) {
    return !done[k][r];
  }

  void note(int k, Event event) {
    done[k][event.replica()] = !rules.get(k).recurs();
    events.add(event);
  }

  /** What further steps of these replicas may stop at. */
  List<Watch> watches(boolean[] running) {
    List<Watch> watches = new ArrayList<>();
    for (int k = 0; k < rules.size(); k++) {
      StopRule rule = rules.get(k);
      List<double[]> open = new ArrayList<>();
      for (int r = 0; r < running.length; r++) {
        if (running[r] && open(k, r)) {
          open.add(memory[k][r]);
        }
      }
      if (rule.everySteps() > 0 && rule.watched() && !open.isEmpty()) {
        Watch watch = rule.watch(open.toArray(new double[0][]));
        if (watch != null) {
          watches.add(watch);
        }
      }
    }
    return watches;
  }

  /** Steps at whose multiples conditions have to be looked at, whatever the state. */
  long[] places() {
    return rules.stream()
        .filter(rule -> rule.everySteps() > 0 && !rule.watched())
        .mapToLong(StopRule::everySteps)
        .toArray();
  }

  /** All moments, by replica and time. */
  List<Event> events() {
    List<Event> sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparingInt(Event::replica).thenComparingDouble(Event::t));
    return sorted;
  }

  /** {@code events.jsonl}. */
  byte[] lines() {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Event e : events()) {
      lines.add(
          e.facts(
              spec.replicaParameters().isEmpty()
                  ? Map.of()
                  : spec.replicaParameters().get(e.replica())));
    }
    return AppendedLines.encode(lines);
  }

  byte[] save() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int k = 0; k < memory.length; k++) {
        for (int r = 0; r < memory[k].length; r++) {
          out.writeBoolean(done[k][r]);
          for (double m : memory[k][r]) {
            out.writeDouble(m);
          }
        }
      }
      out.writeInt(events.size());
      for (Event e : events) {
        out.writeInt(e.replica());
        out.writeUTF(e.name());
        out.writeDouble(e.t());
        out.writeDouble(e.after());
        out.writeLong(e.step());
        out.writeUTF(e.found());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  void restore(byte[] saved) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      for (int k = 0; k < memory.length; k++) {
        for (int r = 0; r < memory[k].length; r++) {
          done[k][r] = in.readBoolean();
          for (int m = 0; m < memory[k][r].length; m++) {
            memory[k][r][m] = in.readDouble();
          }
        }
      }
      int count = in.readInt();
      for (int e = 0; e < count; e++) {
        events.add(
            new Event(
                in.readInt(),
                in.readUTF(),
                in.readDouble(),
                in.readDouble(),
                in.readLong(),
                in.readUTF()));
      }
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Kind.DAMAGED, "what the checkpoint says of events is cut short", e);
    }
  }
}
