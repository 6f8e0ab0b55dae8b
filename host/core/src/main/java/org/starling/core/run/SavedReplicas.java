package org.starling.core.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.starling.core.integrate.Outcome;
import org.starling.core.observe.Column;
import org.starling.core.observe.Readings;
import org.starling.core.store.StoreException;

/** What a checkpoint says of each replica, in a few bytes for one that is still under way. */
final class SavedReplicas {
  private static final int ENDED = 1;
  private static final int HELD = 2;
  private static final int AT_END = 4;

  private SavedReplicas() {}

  /**
   * @param readings of the replicas that are held; null if none is
   */
  static byte[] write(Replica[] replicas, Readings readings) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int r = 0; r < replicas.length; r++) {
        Replica replica = replicas[r];
        out.writeByte(
            (replica.outcome == null ? 0 : ENDED)
                | (replica.held == null ? 0 : HELD)
                | (replica.atEnd == null ? 0 : AT_END));
        if (replica.outcome != null) {
          write(replica.outcome, out);
        }
        if (replica.held != null) {
          write(replica.held, out);
          write(readings, r, out);
        }
        if (replica.atEnd != null) {
          write(replica.atEnd, out);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Fills in what {@link #write} gave. */
  static void read(byte[] saved, LoopState state, List<Column> columns) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      for (int r = 0; r < state.replicas.length; r++) {
        Replica replica = state.replicas[r];
        int parts = in.readByte();
        if ((parts & ENDED) != 0) {
          replica.outcome = outcome(r, in);
        }
        if ((parts & HELD) != 0) {
          replica.held = doubles(in);
          read(state.heldReadings(columns), r, in);
        }
        if ((parts & AT_END) != 0) {
          replica.atEnd = doubles(in);
        }
      }
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Kind.DAMAGED, "what the checkpoint says of replicas is cut short", e);
    }
  }

  private static void write(Outcome outcome, DataOutputStream out) throws IOException {
    out.writeUTF(outcome.kind().label());
    out.writeUTF(outcome.sentence());
    out.writeDouble(outcome.time());
    out.writeLong(outcome.step());
    out.writeInt(outcome.token());
  }

  private static Outcome outcome(int replica, DataInputStream in) throws IOException {
    Outcome.Kind kind = OutcomeText.kind(in.readUTF());
    return new Outcome(kind, in.readUTF(), replica, in.readDouble(), in.readLong(), in.readInt());
  }

  private static void write(double[] values, DataOutputStream out) throws IOException {
    out.writeInt(values.length);
    for (double v : values) {
      out.writeDouble(v);
    }
  }

  private static double[] doubles(DataInputStream in) throws IOException {
    double[] values = new double[in.readInt()];
    for (int k = 0; k < values.length; k++) {
      values[k] = in.readDouble();
    }
    return values;
  }

  private static void write(Readings readings, int r, DataOutputStream out) throws IOException {
    List<Column> columns = readings.columns();
    for (int c = 0; c < columns.size(); c++) {
      if (!columns.get(c).array()) {
        out.writeDouble(readings.real(c, r));
        continue;
      }
      int length = columns.get(c).length();
      for (int k = 0; k < length; k++) {
        out.writeLong(readings.arrays(c)[r * length + k]);
      }
    }
  }

  private static void read(Readings readings, int r, DataInputStream in) throws IOException {
    for (Column column : readings.columns()) {
      if (!column.array()) {
        readings.real(r, in.readDouble());
        continue;
      }
      long[] values = new long[column.length()];
      for (int k = 0; k < values.length; k++) {
        values[k] = in.readLong();
      }
      readings.array(r, values);
    }
  }
}
