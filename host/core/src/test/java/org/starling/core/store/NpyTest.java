package org.starling.core.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NpyTest {
  private static final double[] SIX = {0, -1, 2, 3, 4, 1 << 20};

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void whatIsWrittenIsReadBack(ElementType type) {
    Path file = dir.resolve("a.npy");
    Npy.write(file, type, SIX, 2, 3);
    NpyArray read = Npy.read(file);
    assertEquals(type, read.type());
    assertArrayEquals(new int[] {2, 3}, read.shape());
    assertArrayEquals(SIX, read.doubles());
  }

  /** One Java array cannot hold the bytes of the largest files. */
  @Test
  void aFileInPiecesIsTheFileInOne() throws IOException {
    double[] values = new double[2 * ElementType.PIECE + 3];
    Arrays.setAll(values, k -> k % 4099 + 0.5);
    byte[] whole = Npy.encode(ElementType.FLOAT32, values, values.length);
    Path file = dir.resolve("a.npy");
    Npy.write(file, ElementType.FLOAT32, values, values.length);
    assertArrayEquals(whole, Files.readAllBytes(file));
    assertEquals(Sha256.of(whole), Sha256.of(FileStore.disk(), file));
    assertThrows(
        IllegalArgumentException.class,
        () -> Npy.write(file, ElementType.FLOAT32, values, values.length - 1));

    NpyAppender appender =
        NpyAppender.create(
            FileStore.disk(), dir.resolve("b.npy"), ElementType.FLOAT32, values.length);
    Sha256 hash = new Sha256();
    appender.append(values, hash::add);
    assertEquals(hash.hex(), appender.hash().hex());
    assertArrayEquals(values, Npy.read(appender.file()).doubles());
  }

  @ParameterizedTest(name = "version {0}, {1}")
  @CsvSource({"1,<", "2,<", "3,<", "1,>", "2,>", "3,>"})
  void readsEveryVersionAndByteOrder(int version, String order) {
    byte[] file =
        file(
            version,
            "{'descr': '" + order + "f8', 'fortran_order': False, 'shape': (2, 3), }",
            order,
            SIX);
    assertArrayEquals(SIX, Npy.decode(file, "x0.npy").requireShape(2, 3).doubles());
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = Npy.encode(ElementType.FLOAT32, SIX, 2, 3);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      String message = failure(() -> Npy.decode(part, "x0.npy"));
      assertTrue(message.contains("x0.npy"), message);
    }
  }

  @Test
  void aWrongShapeNamesBothShapesAndTheFile() {
    NpyArray a = Npy.decode(Npy.encode(ElementType.FLOAT64, SIX, 2, 3), "x0.npy");
    assertEquals(
        "cannot read x0.npy: its shape is [2][3], the experiment needs [3][2]",
        failure(() -> a.requireShape(3, 2)));
  }

  @Test
  void aNonFiniteEntryIsLocated() {
    double[] values = SIX.clone();
    values[4] = Double.NaN;
    NpyArray a = Npy.decode(Npy.encode(ElementType.FLOAT32, values, 2, 3), "x0.npy");
    String message = failure(a::requireFinite);
    assertTrue(message.contains("NaN at [1][1] of shape [2][3]"), message);
  }

  @Test
  void otherLayoutsAndTypesSayHowToConvert() {
    String fortran = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }";
    assertTrue(
        failure(() -> Npy.decode(file(1, fortran, "<", SIX), "V.npy"))
            .contains("ascontiguousarray"));
    String complex = "{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }";
    assertTrue(failure(() -> Npy.decode(file(1, complex, "<", SIX), "V.npy")).contains("<c16"));
    String records = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }";
    assertTrue(failure(() -> Npy.decode(file(1, records, "<", SIX), "V.npy")).contains("float64"));
    String text =
        failure(() -> Npy.decode("1 2 3 4 5 6".getBytes(StandardCharsets.UTF_8), "V.txt"));
    assertTrue(text.contains("magic"), text);
  }

  @Test
  void integersBeyondFloat64AreNotRounded() {
    long[] values = {1, (1L << 53) + 1};
    NpyArray a = Npy.decode(Npy.encode(ElementType.INT64, values, 2), "seeds.npy");
    assertArrayEquals(values, a.longs());
    assertTrue(failure(a::doubles).contains("no exact float64"));
  }

  private static String failure(org.junit.jupiter.api.function.Executable work) {
    StoreException e = assertThrows(StoreException.class, work);
    assertEquals(StoreException.Kind.BAD_FILE, e.kind());
    return e.getMessage();
  }

  /** A file as another writer would make it. */
  private static byte[] file(int version, String dict, String order, double[] values) {
    ByteOrder byteOrder = order.equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    byte[] header = (dict + " ".repeat(7) + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer length = ByteBuffer.allocate(version == 1 ? 2 : 4).order(ByteOrder.LITTLE_ENDIAN);
    if (version == 1) {
      length.putShort((short) header.length);
    } else {
      length.putInt(header.length);
    }
    ByteBuffer data = ByteBuffer.allocate(8 * values.length).order(byteOrder);
    for (double v : values) {
      data.putDouble(v);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    out.writeBytes(length.array());
    out.writeBytes(header);
    out.writeBytes(data.array());
    return out.toByteArray();
  }
}
