package org.starling.core.integrate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The bytes of a saved integrator: a format, the method, the number of replicas, a body. */
final class SavedIntegrator {
  private static final int FORMAT = 0x53544931; // "STI1"

  private SavedIntegrator() {}

  /** Writes a body. */
  interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads a body, all of it. */
  interface Reader {
    void read(DataInputStream in) throws IOException;
  }

  static byte[] write(Method method, int replicas, Writer body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(FORMAT);
      out.writeUTF(method.label());
      out.writeInt(replicas);
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #write} gave.
   *
   * @throws IllegalArgumentException for other bytes, another method, another number of replicas
   */
  static void read(byte[] saved, Method method, int replicas, Reader body) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(saved))) {
      if (in.readInt() != FORMAT) {
        throw new IllegalArgumentException("these bytes are no saved integrator");
      }
      String label = in.readUTF();
      int count = in.readInt();
      if (!label.equals(method.label()) || count != replicas) {
        throw new IllegalArgumentException(
            "the saved integrator is "
                + label
                + " with "
                + count
                + " replicas, this run has "
                + method.label()
                + " with "
                + replicas);
      }
      body.read(in);
      if (in.read() >= 0) {
        throw new IllegalArgumentException("the saved integrator has bytes left over");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("the saved integrator is cut short", e);
    }
  }
}
