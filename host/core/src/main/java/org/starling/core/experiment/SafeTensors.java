package org.starling.core.experiment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one matrix out of a safetensors file: an unsigned 64-bit little-endian header length, a
 * JSON header {@code {name: {dtype, shape, data_offsets: [begin, end]}}}, then the data.
 */
final class SafeTensors {
  private static final JsonMapper JSON = JsonMapper.shared();

  private SafeTensors() {}

  /**
   * @param entries row-major, {@code [rows][columns]}
   */
  record Matrix(int rows, int columns, double[] entries) {}

  /**
   * A two-dimensional F32 or F64 tensor.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  static Matrix read(byte[] file, String name) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long length = file.length < 8 ? -1 : in.getLong(0);
    if (length < 2 || length > file.length - 8L) {
      throw new IllegalArgumentException("it is truncated or no safetensors file");
    }
    JsonNode header = header(file, (int) length);
    JsonNode tensor = header.get(name);
    if (tensor == null || name.equals("__metadata__")) {
      List<String> names = new ArrayList<>(header.propertyNames());
      names.remove("__metadata__");
      throw new IllegalArgumentException(
          "it has no tensor "
              + name
              + Suggestion.forWord(name, names)
              + " (it has "
              + some(names)
              + ")");
    }
    String type = tensor.path("dtype").asString("");
    JsonNode shape = tensor.path("shape");
    JsonNode offsets = tensor.path("data_offsets");
    if (!type.equals("F32") && !type.equals("F64")) {
      throw new IllegalArgumentException(
          "tensor " + name + " is of type " + type + "; convert it to F32 or F64");
    }
    if (shape.size() != 2) {
      throw new IllegalArgumentException(
          "tensor " + name + " has shape " + shape + "; a matrix has two sizes");
    }
    long rows = shape.get(0).asLong(-1);
    long columns = shape.get(1).asLong(-1);
    long bytes = type.equals("F32") ? 4 : 8;
    long begin = offsets.path(0).asLong(-1);
    long end = offsets.path(1).asLong(-1);
    if (rows < 1
        || columns < 1
        || rows > Integer.MAX_VALUE / columns
        || begin < 0
        || end - begin != rows * columns * bytes
        || end > file.length - 8 - length) {
      throw new IllegalArgumentException(
          "tensor "
              + name
              + " of shape "
              + shape
              + " does not fit its data (offsets "
              + offsets
              + "): the file is damaged or truncated");
    }
    double[] entries = new double[(int) (rows * columns)];
    int at = (int) (8 + length + begin);
    for (int k = 0; k < entries.length; k++) {
      entries[k] = bytes == 4 ? in.getFloat(at + 4 * k) : in.getDouble(at + 8 * k);
      if (!Double.isFinite(entries[k])) {
        throw new IllegalArgumentException(
            "tensor "
                + name
                + " holds "
                + entries[k]
                + " at ["
                + k / columns
                + "]["
                + k % columns
                + "]; finite numbers are needed");
      }
    }
    return new Matrix((int) rows, (int) columns, entries);
  }

  private static JsonNode header(byte[] file, int length) {
    try {
      return JSON.readTree(new String(file, 8, length, StandardCharsets.UTF_8));
    } catch (JacksonException e) {
      throw new IllegalArgumentException("its header is no JSON", e);
    }
  }

  private static String some(List<String> names) {
    int shown = Math.min(8, names.size());
    String text = String.join(", ", names.subList(0, shown));
    return shown < names.size() ? text + ", ... " + names.size() + " in all" : text;
  }
}
