package org.starling.core.experiment;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.SweepSpec.Axis;
import org.starling.core.experiment.SweepSpec.Values;

/** Reads the block {@code sweep}. */
final class SweepReader {
  private static final String KNOWN =
      "a list of numbers, {linspace: [from, to, count]}, {geomspace: [from, to, count]},"
          + " {logspace: [exponent, exponent, count]} or {range: [from, to]} (without to)";

  private final Binding binding;
  private final List<SweptKey> found = new ArrayList<>();

  SweepReader(Binding binding) {
    this.binding = binding;
  }

  /**
   * An axis with its places.
   *
   * @param at where the key stands
   * @param values where each value stands, or one place for all
   */
  record SweptKey(Axis axis, Position at, List<Position> values) {
    /** Value number k as if it stood in the file at the swept key. */
    Node node(int k) {
      Number v = axis.values().at(k);
      String text = v instanceof Long ? v.toString() : YamlNumbers.text(v.doubleValue());
      return new Node.Scalar(values.get(values.size() == 1 ? 0 : k), text, true);
    }
  }

  /**
   * The same block with every key written out as one path, in the order of the file, so that an
   * override finds the key whatever its form there.
   */
  Node.Mapping flat(Node.Mapping sweep) {
    Node.Mapping all = Node.Mapping.empty(sweep.at());
    sweep
        .entries()
        .forEach((key, entry) -> flatten(String.join(".", SweepKeys.canonical(key)), entry, all));
    return all;
  }

  private void flatten(String path, Node.Entry entry, Node.Mapping all) {
    if (entry.value() instanceof Node.Mapping m
        && !m.entries().isEmpty()
        && m.entries().keySet().stream().noneMatch(SweepReader::isForm)) {
      m.entries().forEach((key, inner) -> flatten(path + "." + key, inner, all));
    } else if (all.entries().putIfAbsent(path, entry) != null) {
      binding.problems.add(entry.at(), "sweep names " + path + " twice");
    }
  }

  /** Whether a word is a form of values, or nearly. */
  private static boolean isForm(String word) {
    return !Suggestion.forWord(word, SweepKeys.FORMS).isEmpty();
  }

  /** The axes of a flat block. */
  List<SweptKey> read(Node node) {
    if (!(node instanceof Node.Mapping mapping) || mapping.entries().isEmpty()) {
      binding.problems.add(
          node.at(), "sweep must name keys and their values, such as sweep: {beta: [1, 4, 9]}");
      return List.of();
    }
    mapping.entries().forEach((key, entry) -> key(key, entry));
    long points = 1;
    for (SweptKey s : found) {
      points *= s.axis().values().size();
      if (points > SweepSpec.MOST) {
        binding.problems.add(
            s.at(),
            "sweep has more than " + SweepSpec.MOST + " points; sweep fewer values at a time");
        break;
      }
    }
    return found;
  }

  private void key(String path, Node.Entry entry) {
    Node value = entry.value();
    if (value instanceof Node.Scalar s && s.isNull()) {
      return;
    }
    String refusal = SweepKeys.refusal(path);
    if (refusal != null) {
      binding.problems.add(entry.at(), path + " cannot be swept: it " + refusal);
      return;
    }
    int before = binding.problems.count();
    List<Position> places = new ArrayList<>();
    Values values = values(value, "sweep." + path, places);
    if (binding.problems.count() == before) {
      found.add(new SweptKey(new Axis(path, values), entry.at(), places));
    }
  }

  private Values values(Node node, String path, List<Position> places) {
    if (node instanceof Node.Sequence list) {
      list.items().forEach(item -> places.add(item.at()));
      return listed(list, path);
    }
    places.add(node.at());
    if (!(node instanceof Node.Mapping m)) {
      binding.problems.add(node.at(), path + " must be " + KNOWN + ", not " + node.describe());
      return null;
    }
    Section s = new Section(binding, m, path);
    List<String> given = SweepKeys.FORMS.stream().filter(s::has).toList();
    if (given.isEmpty()) {
      unknownForm(m, path);
      return null;
    }
    if (given.size() > 1) {
      binding.problems.add(
          m.entries().get(given.get(1)).at(),
          path + ": give " + String.join(" or ", given) + ", not both");
    }
    String form = given.get(0);
    Node bounds = s.take(form);
    s.done();
    return bounds == null ? absent(s, form) : form(form, bounds, path + "." + form);
  }

  private void unknownForm(Node.Mapping m, String path) {
    String written = m.entries().isEmpty() ? "" : m.entries().keySet().iterator().next();
    binding.problems.add(
        written.isEmpty() ? m.at() : m.entries().get(written).at(),
        path
            + " must be "
            + KNOWN
            + ", not "
            + (written.isEmpty() ? "an empty mapping" : written)
            + Suggestion.forWord(written, SweepKeys.FORMS));
  }

  private Values absent(Section s, String form) {
    binding.problems.add(s.at(), s.path(form) + " is empty; write " + KNOWN);
    return null;
  }

  private Values listed(Node.Sequence list, String path) {
    List<Number> numbers = new ArrayList<>();
    TreeSet<Double> seen = new TreeSet<>();
    for (int k = 0; k < list.items().size(); k++) {
      Node item = list.items().get(k);
      String name = path + "[" + k + "]";
      int before = binding.problems.count();
      double v = binding.number(item, name, Range.FINITE);
      if (binding.problems.count() > before) {
        continue;
      }
      // A seed of 19 digits must not pass through a double; and 1.0 is written as 1.
      boolean whole =
          v == Math.rint(v) && Math.abs(v) <= 0x1p53
              || item instanceof Node.Scalar s
                  && s.number() instanceof BigInteger i
                  && i.bitLength() < Long.SIZE;
      long exact = whole ? binding.integer(item, name, Long.MIN_VALUE, Long.MAX_VALUE) : 0;
      if (!seen.add(v)) {
        binding.problems.add(item.at(), path + " has the value " + YamlNumbers.text(v) + " twice");
      }
      numbers.add(whole ? (Number) exact : (Number) v);
    }
    if (list.items().isEmpty()) {
      binding.problems.add(list.at(), path + " must not be an empty list");
    }
    return new Values.Listed(numbers);
  }

  private Values form(String form, Node node, String path) {
    boolean range = form.equals("range");
    int wanted = range ? 2 : 3;
    List<Node> items = binding.list(node, path);
    if (!(node instanceof Node.Sequence)) {
      return null;
    }
    if (items.size() != wanted) {
      binding.problems.add(
          node.at(),
          path
              + " must have "
              + (range ? "2 entries, [from, to]" : "3 entries, [from, to, count]")
              + ", not "
              + items.size());
      return null;
    }
    if (range) {
      return range(items, path);
    }
    int before = binding.problems.count();
    Range allowed = form.equals("geomspace") ? Range.POSITIVE : Range.FINITE;
    double from = binding.number(items.get(0), path + "[0]", allowed);
    double to = binding.number(items.get(1), path + "[1]", allowed);
    int count = (int) binding.integer(items.get(2), path + "[2]", 2, SweepSpec.MOST);
    if (binding.problems.count() == before && from == to) {
      binding.problems.add(items.get(1).at(), path + " must not begin and end at the same value");
    }
    return switch (form) {
      case "linspace" -> new Values.Linear(from, to, count);
      case "geomspace" -> new Values.Geometric(from, to, count);
      default -> new Values.Powers(from, to, count);
    };
  }

  private Values range(List<Node> items, String path) {
    int before = binding.problems.count();
    long from = binding.integer(items.get(0), path + "[0]", Long.MIN_VALUE, Long.MAX_VALUE);
    long to = binding.integer(items.get(1), path + "[1]", Long.MIN_VALUE, Long.MAX_VALUE);
    if (binding.problems.count() == before && !(from < to && to - from > 0)) {
      binding.problems.add(
          items.get(1).at(), path + " is empty: it goes from " + from + " up to, without, " + to);
    } else if (binding.problems.count() == before && to - from > SweepSpec.MOST) {
      binding.problems.add(
          items.get(1).at(), path + " has more than " + SweepSpec.MOST + " values");
    }
    return new Values.Range(from, to);
  }

  /** Values at which a key is tried: all that are listed, the ends and the second of the others. */
  static int[] tried(Values values) {
    int size = values.size();
    return values instanceof Values.Listed
        ? java.util.stream.IntStream.range(0, size).toArray()
        : java.util.stream.IntStream.of(0, 1, size - 1).filter(k -> k < size).distinct().toArray();
  }

  /** The places of the axes, for messages about a run's sweep. */
  static Map<String, Position> places(List<SweptKey> keys) {
    Map<String, Position> places = new LinkedHashMap<>();
    keys.forEach(k -> places.put(SweepKeys.SWEEP + "." + k.axis().key(), k.at()));
    return places;
  }
}
