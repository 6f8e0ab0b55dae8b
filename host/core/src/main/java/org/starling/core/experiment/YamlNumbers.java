package org.starling.core.experiment;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** Numbers of the YAML 1.2 core schema, and how we write them. */
final class YamlNumbers {
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern INFINITE = Pattern.compile("[-+]?(\\.inf|\\.Inf|\\.INF)");
  private static final Pattern NAN = Pattern.compile("\\.nan|\\.NaN|\\.NAN");

  private YamlNumbers() {}

  /** A BigInteger or a Double, or null if the text is no number. */
  static Number parse(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return new BigInteger(text.startsWith("+") ? text.substring(1) : text);
    }
    if (OCTAL.matcher(text).matches()) {
      return new BigInteger(text.substring(2), 8);
    }
    if (HEXADECIMAL.matcher(text).matches()) {
      return new BigInteger(text.substring(2), 16);
    }
    if (FLOAT.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    if (INFINITE.matcher(text).matches()) {
      return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return NAN.matcher(text).matches() ? Double.NaN : null;
  }

  /** Shortest text that reads back as the same finite double. */
  static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      // -0.0 must stay itself.
      return value == 0 && 1 / value < 0 ? "-0.0" : Long.toString((long) value);
    }
    return Double.toString(value).replace("E", "e");
  }
}
