package org.starling.core.store;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON as the files of a run hold it: keys in the order given, doubles in their shortest form that
 * reads back to the same bits whatever the JDK, non-finite values as the strings {@code "NaN"},
 * {@code "Infinity"} and {@code "-Infinity"}, a value that does not exist as {@code null}.
 */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
          .build();
  private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

  private Json() {}

  /** One object as one line, with its line end. */
  public static byte[] line(Map<String, ?> object) {
    return (MAPPER.writeValueAsString(object) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** One object over several lines, for a file of its own. */
  public static byte[] document(Map<String, ?> object) {
    return (MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(object) + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads one object: maps, lists, strings, numbers, booleans, null.
   *
   * @param name where the text comes from, for messages
   * @throws StoreException of kind DAMAGED
   */
  public static Map<String, Object> read(byte[] text, String name) {
    try {
      return MAPPER.readValue(text, OBJECT);
    } catch (JacksonException e) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          "cannot read " + name + ": not valid JSON (" + e.getOriginalMessage() + ")",
          e);
    }
  }

  /** A double as these files hold it: a number, or the name of a non-finite value. */
  public static double number(Object value) {
    if (value instanceof Number n) {
      return n.doubleValue();
    }
    if (value instanceof String s) {
      switch (s) {
        case "NaN":
          return Double.NaN;
        case "Infinity":
          return Double.POSITIVE_INFINITY;
        case "-Infinity":
          return Double.NEGATIVE_INFINITY;
        default:
          break;
      }
    }
    throw new StoreException(StoreException.Kind.DAMAGED, "not a number: " + value);
  }

  /** An integer as these files hold it. */
  public static long integer(Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new StoreException(StoreException.Kind.DAMAGED, "not an integer: " + value);
  }
}
