package org.starling.core.experiment;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns nodes into values. Whatever does not fit is noted with its place and replaced by a
 * stand-in, so that the rest of the file is still examined; the stand-in is never used, since a
 * reading with problems ends in an exception.
 */
public final class Binding {
  final Problems problems;

  /** Where each key path of the experiment was written. */
  final TreeMap<String, Position> where = new TreeMap<>();

  /** Every key path that was asked for, written or not. */
  final TreeSet<String> asked = new TreeSet<>();

  Binding(Problems problems) {
    this.problems = problems;
  }

  /** Notes that something is wrong. */
  public void problem(Position at, String message) {
    problems.add(at, message);
  }

  /** Range that a number must lie in. */
  public enum Range {
    FINITE("a finite number") {
      @Override
      boolean has(double v) {
        return Double.isFinite(v);
      }
    },
    POSITIVE("a finite number > 0") {
      @Override
      boolean has(double v) {
        return v > 0 && Double.isFinite(v);
      }
    },
    NON_NEGATIVE("a finite number >= 0") {
      @Override
      boolean has(double v) {
        return v >= 0 && Double.isFinite(v);
      }
    },
    FRACTION("a number >= 0 and < 1") {
      @Override
      boolean has(double v) {
        return v >= 0 && v < 1;
      }
    };

    final String words;

    Range(String words) {
      this.words = words;
    }

    abstract boolean has(double v);
  }

  public Section section(Node node, String path) {
    where.put(path, node.at());
    if (node instanceof Node.Mapping m) {
      return new Section(this, m, path);
    }
    if (!(node instanceof Node.Scalar s && s.isNull())) {
      problems.add(node.at(), path + " must be a mapping of keys, not " + node.describe());
    }
    return new Section(this, Node.Mapping.empty(node.at()), path);
  }

  public double number(Node node, String path, Range range) {
    Number n = node instanceof Node.Scalar s ? s.number() : null;
    if (n == null) {
      problems.add(node.at(), path + " must be a number, not " + node.describe());
      return 1;
    }
    double v = n.doubleValue();
    if (!range.has(v)) {
      problems.add(
          node.at(), path + " must be " + range.words + ", not " + ((Node.Scalar) node).text());
      return range.has(1) ? 1 : 0;
    }
    return v;
  }

  public long integer(Node node, String path, long min, long max) {
    Number n = node instanceof Node.Scalar s ? s.number() : null;
    if (!(n instanceof BigInteger)
        && n != null
        && Math.rint(n.doubleValue()) == n.doubleValue()
        && Math.abs(n.doubleValue()) <= 0x1p53) {
      // 1e6 is an integer to people.
      n = BigInteger.valueOf(n.longValue());
    }
    if (!(n instanceof BigInteger i)) {
      problems.add(node.at(), path + " must be a whole number, not " + node.describe());
      return Math.max(1, min);
    }
    if (i.compareTo(BigInteger.valueOf(min)) < 0) {
      problems.add(node.at(), path + " must be >= " + min + ", not " + i);
      return Math.max(1, min);
    }
    if (i.compareTo(BigInteger.valueOf(max)) > 0) {
      problems.add(node.at(), path + " must be <= " + max + ", not " + i);
      return Math.max(1, min);
    }
    return i.longValueExact();
  }

  public boolean truth(Node node, String path) {
    if (node instanceof Node.Scalar s && s.plain()) {
      if (s.text().equals("true")) {
        return true;
      }
      if (s.text().equals("false")) {
        return false;
      }
    }
    problems.add(node.at(), path + " must be true or false, not " + node.describe());
    return false;
  }

  public String text(Node node, String path) {
    if (node instanceof Node.Scalar s && !s.isNull() && !s.text().isBlank()) {
      return s.text();
    }
    problems.add(node.at(), path + " must be a text, not " + node.describe());
    return "x";
  }

  public <E extends Enum<E>> E word(Node node, String path, Class<E> type, E standIn) {
    List<String> allowed = new ArrayList<>();
    for (E e : type.getEnumConstants()) {
      allowed.add(label(e));
      if (node instanceof Node.Scalar s && s.text().equals(label(e))) {
        return e;
      }
    }
    unknownWord(node, path, allowed, allowed);
    return standIn;
  }

  /**
   * @param forms everything that could stand here, as shown to the user
   * @param words the words a slip is compared with
   */
  public void unknownWord(Node node, String path, List<String> forms, Collection<String> words) {
    String hint = node instanceof Node.Scalar s ? Suggestion.forWord(s.text(), words) : "";
    problems.add(
        node.at(),
        path + " must be one of " + String.join(", ", forms) + ", not " + node.describe() + hint);
  }

  public List<Node> list(Node node, String path) {
    if (node instanceof Node.Sequence s) {
      return s.items();
    }
    problems.add(node.at(), path + " must be a list, not " + node.describe());
    return List.of();
  }

  public List<Double> numbers(Node node, String path) {
    List<Double> out = new ArrayList<>();
    List<Node> items = list(node, path);
    for (int i = 0; i < items.size(); i++) {
      out.add(number(items.get(i), path + "[" + i + "]", Range.FINITE));
    }
    if (items.isEmpty() && node instanceof Node.Sequence) {
      problems.add(node.at(), path + " must not be an empty list");
    }
    return out;
  }

  /** A list of lists of numbers, all of one length. */
  List<List<Double>> rows(Node node, String path) {
    List<List<Double>> rows = new ArrayList<>();
    List<Node> items = list(node, path);
    for (int i = 0; i < items.size(); i++) {
      List<Double> row = numbers(items.get(i), path + "[" + i + "]");
      if (!rows.isEmpty() && row.size() != rows.get(0).size()) {
        problems.add(
            items.get(i).at(),
            path
                + "["
                + i
                + "] has "
                + row.size()
                + " numbers, the rows before it have "
                + rows.get(0).size());
      }
      rows.add(row);
    }
    if (items.isEmpty() && node instanceof Node.Sequence) {
      problems.add(node.at(), path + " must not be an empty list");
    }
    return rows;
  }

  /** Word of an enumeration in files: lower case with hyphens. */
  public static String label(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> labels(Enum<?>[] values) {
    return Arrays.stream(values).map(Binding::label).toList();
  }
}
