package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.Claim.At;
import org.starling.core.experiment.Claim.Beside;
import org.starling.core.experiment.Claim.Change;
import org.starling.core.experiment.Claim.Control;
import org.starling.core.experiment.Claim.FigureCall;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.Claim.Over;
import org.starling.core.experiment.Claim.QuantityCall;

/** Reads the block {@code claim}. */
final class ClaimReader {
  static final String CLAIM = "claim";

  private static final List<String> COMPARISONS =
      List.of("equals", "at-most", "at-least", "within");

  private final Binding binding;

  ClaimReader(Binding binding) {
    this.binding = binding;
  }

  /**
   * @param node the block; null where there is none
   */
  Claim read(Node node) {
    if (node == null) {
      return null;
    }
    Section s = binding.section(node, CLAIM);
    String title = required(s, "title", "the claim in a few words");
    String source = required(s, "source", "the paper, and the theorem or figure");
    String statement = required(s, "statement", "what is claimed, in a sentence or two");
    double minutes = s.number("minutes", 0.5, Range.POSITIVE);
    Node supposed = s.take("given");
    List<Item> given = supposed == null ? List.of() : items(supposed, s.path("given"));
    List<Item> verdict =
        items(s.require("verdict", "the list of what is measured"), s.path("verdict"));
    Control control = control(s, verdict);
    List<Beside> beside = new ArrayList<>();
    Node others = s.take("beside");
    if (others != null) {
      List<Node> list = binding.list(others, s.path("beside"));
      for (int i = 0; i < list.size(); i++) {
        beside.add(beside(binding.section(list.get(i), s.path("beside") + "[" + i + "]")));
      }
    }
    List<Change> quick = changes(s, "quick");
    List<Change> again = changes(s, "again");
    List<FigureCall> figures = figures(s, beside);
    s.done();
    return new Claim(
        title, source, statement, minutes, given, verdict, control, beside, quick, again, figures);
  }

  private String required(Section s, String key, String what) {
    Node value = s.require(key, what);
    return value == null ? "" : binding.text(value, s.path(key));
  }

  private Control control(Section claim, List<Item> verdict) {
    Node node = claim.require("control", "a case in which the verdict must fail: {what, set}");
    if (node == null) {
      return null;
    }
    Section s = binding.section(node, claim.path("control"));
    String what = required(s, "what", "the case, in a sentence");
    List<Change> changes = changes(s);
    List<Change> quick = changes(s, "quick");
    Node own = s.take("verdict");
    List<Item> items = own == null ? verdict : items(own, s.path("verdict"));
    s.done();
    return new Control(what, changes, quick, items);
  }

  private Beside beside(Section s) {
    String name = required(s, "name", "a word that names the run's directory");
    if (!name.matches("[a-z0-9][a-z0-9-]*") || name.equals("run") || name.equals("control")) {
      binding.problems.add(
          s.at(),
          s.path("name")
              + " must be lower-case letters, digits and hyphens, and neither run nor"
              + " control");
    }
    String what = required(s, "what", "the case, in a sentence");
    List<Change> changes = changes(s);
    List<Change> quick = changes(s, "quick");
    List<Item> items =
        items(s.require("verdict", "the list of what is measured there"), s.path("verdict"));
    s.done();
    return new Beside(name, what, changes, quick, items);
  }

  private List<Change> changes(Section s, String key) {
    Node node = s.take(key);
    if (node == null) {
      return List.of();
    }
    Section q = binding.section(node, s.path(key));
    List<Change> changes = changes(q);
    q.done();
    return changes;
  }

  private List<Change> changes(Section s) {
    Node node = s.require("set", "the keys that change, such as {model.beta: 4}");
    List<Change> changes = new ArrayList<>();
    if (node instanceof Node.Mapping m && !m.entries().isEmpty()) {
      m.entries().forEach((key, e) -> changes.add(new Change(key, text(e.value()))));
    } else if (node != null) {
      binding.problems.add(
          node.at(),
          s.path("set") + " must be a mapping of keys to values, not " + node.describe());
    }
    return changes;
  }

  // --- items ---

  private List<Item> items(Node node, String path) {
    List<Item> items = new ArrayList<>();
    if (node == null) {
      return items;
    }
    List<Node> list = binding.list(node, path);
    for (int i = 0; i < list.size(); i++) {
      items.add(item(binding.section(list.get(i), path + "[" + i + "]")));
    }
    if (list.isEmpty() && node instanceof Node.Sequence) {
      binding.problems.add(node.at(), path + " must list at least one measurement");
    }
    return items;
  }

  private Item item(Section s) {
    Node quantity = s.require("quantity", "what is measured, such as clusters");
    QuantityCall call = quantity == null ? null : quantity(quantity, s.path("quantity"));
    Node atNode = s.take("at");
    At at = atNode == null ? new At.End() : at(atNode, s.path("at"));
    double[] range = comparison(s);
    Node overNode = s.take("over");
    Over over = overNode == null ? new Over.Each(1) : over(overNode, s.path("over"));
    Map<String, Double> where = new LinkedHashMap<>();
    Node whereNode = s.take("where");
    if (whereNode != null) {
      Section w = binding.section(whereNode, s.path("where"));
      if (whereNode instanceof Node.Mapping m) {
        for (String key : m.entries().keySet()) {
          where.put(String.join(".", SweepKeys.canonical(key)), w.number(key, 0, Range.FINITE));
        }
      }
    }
    double settled = s.number("settled", Double.POSITIVE_INFINITY, Range.POSITIVE);
    String note = s.text("note", "");
    s.done();
    return new Item(call, at, over, range[0], range[1], where, settled, note);
  }

  QuantityCall quantity(Node node, String path) {
    if (node instanceof Node.Mapping m && m.entries().size() == 1) {
      String name = m.entries().keySet().iterator().next();
      Node.Entry entry = m.entries().get(name);
      Measure measure =
          binding.word(new Node.Scalar(entry.at(), name, true), path, Measure.class, null);
      return measure == null
          ? null
          : call(measure, binding.section(entry.value(), path + "." + name));
    }
    Measure measure = binding.word(node, path, Measure.class, null);
    return measure == null
        ? null
        : call(measure, new Section(binding, Node.Mapping.empty(node.at()), path));
  }

  private QuantityCall call(Measure measure, Section s) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Measure.Parameter p : measure.parameters()) {
      if (p.otherwise() instanceof Double d) {
        values.put(p.name(), s.number(p.name(), d, Range.FINITE));
      } else {
        values.put(p.name(), s.text(p.name(), (String) p.otherwise()));
      }
    }
    s.done();
    return new QuantityCall(measure, values);
  }

  private At at(Node node, String path) {
    if (node instanceof Node.Scalar scalar) {
      if (scalar.number() != null) {
        return new At.Time(binding.number(node, path, Range.NON_NEGATIVE));
      }
      switch (scalar.text()) {
        case "start":
          return new At.Time(0);
        case "end":
          return new At.End();
        default:
          break;
      }
    }
    if (node instanceof Node.Mapping m && m.entries().size() == 1) {
      Section s = new Section(binding, m, path);
      At at = keyed(s);
      if (at != null) {
        s.done();
        return at;
      }
    }
    binding.unknownWord(
        node,
        path,
        List.of(
            "start",
            "end",
            "a time",
            "{mean|largest|smallest|rise|fall|rate|power|slope: [from, to]}",
            "{rate-within: [low, high]}",
            "{reaches: value}"),
        List.of("start", "end"));
    return new At.End();
  }

  private At keyed(Section s) {
    for (String key :
        List.of("mean", "largest", "smallest", "rise", "fall", "rate", "power", "slope")) {
      if (s.has(key)) {
        double[] span = pair(s, key);
        return switch (key) {
          case "mean" -> new At.Mean(span[0], span[1]);
          case "largest" -> new At.Extreme(true, span[0], span[1]);
          case "smallest" -> new At.Extreme(false, span[0], span[1]);
          case "rise" -> new At.Step(true, span[0], span[1]);
          case "fall" -> new At.Step(false, span[0], span[1]);
          case "rate" -> new At.Slope(false, true, span[0], span[1]);
          case "power" -> new At.Slope(true, true, span[0], span[1]);
          default -> new At.Slope(false, false, span[0], span[1]);
        };
      }
    }
    if (s.has("rate-within")) {
      double[] span = pair(s, "rate-within");
      return new At.RateWithin(span[0], span[1]);
    }
    return s.has("reaches") ? new At.Reaches(s.number("reaches", 0, Range.FINITE)) : null;
  }

  /** Two numbers, the smaller first. */
  private double[] pair(Section s, String key) {
    Node node = s.take(key);
    List<Double> both = node == null ? List.of() : binding.numbers(node, s.path(key));
    if (both.size() != 2 || !(both.get(0) < both.get(1))) {
      binding.problems.add(
          node == null ? s.at() : node.at(),
          s.path(key) + " must be two numbers [a, b] with a < b");
      return new double[] {0, 1};
    }
    return new double[] {both.get(0), both.get(1)};
  }

  private double[] comparison(Section s) {
    List<String> given = COMPARISONS.stream().filter(s::has).toList();
    double tolerance = s.number("tolerance", 0, Range.NON_NEGATIVE);
    if (given.size() != 1) {
      binding.problems.add(
          s.at(),
          s.path("quantity").replaceFirst("\\.quantity$", "")
              + " must have one of "
              + String.join(", ", COMPARISONS));
      COMPARISONS.forEach(s::take);
      return new double[] {0, 0};
    }
    if (!given.get(0).equals("equals") && s.has("tolerance")) {
      binding.problems.add(s.at(), s.path("tolerance") + " belongs to equals; leave it out");
    }
    COMPARISONS.stream().filter(c -> !s.has(c)).forEach(s::take);
    return switch (given.get(0)) {
      case "equals" -> {
        double value = s.number("equals", 0, Range.FINITE);
        yield new double[] {value - tolerance, value + tolerance};
      }
      case "at-most" ->
          new double[] {Double.NEGATIVE_INFINITY, s.number("at-most", 0, Range.FINITE)};
      case "at-least" ->
          new double[] {s.number("at-least", 0, Range.FINITE), Double.POSITIVE_INFINITY};
      default -> pair(s, "within");
    };
  }

  private Over over(Node node, String path) {
    if (node instanceof Node.Scalar) {
      return new Over.Statistic(binding.word(node, path, Over.Kind.class, Over.Kind.MEAN));
    }
    Section s = binding.section(node, path);
    Over over;
    if (s.has("against")) {
      String key = String.join(".", SweepKeys.canonical(s.text("against", "beta")));
      Scale scale = s.word("scale", Scale.class, Scale.LOG_LOG);
      over = new Over.Against(key, scale != Scale.LINEAR, scale == Scale.LOG_LOG);
    } else {
      double fraction = s.number("at-least", 1, Range.POSITIVE);
      if (!(fraction <= 1)) {
        binding.problems.add(s.at(), s.path("at-least") + " is a fraction of the seeds, at most 1");
      }
      over = new Over.Each(fraction);
    }
    s.done();
    return over;
  }

  /** Axes of a fit against a parameter. */
  enum Scale {
    LOG_LOG,
    SEMI_LOG,
    LINEAR
  }

  // --- figures ---

  private List<FigureCall> figures(Section claim, List<Beside> beside) {
    Node node = claim.require("figures", "the list of what is drawn, such as [tokens]");
    List<FigureCall> figures = new ArrayList<>();
    if (node == null) {
      return figures;
    }
    List<Node> list = binding.list(node, claim.path("figures"));
    for (int i = 0; i < list.size(); i++) {
      FigureCall figure = figure(list.get(i), claim.path("figures") + "[" + i + "]", beside);
      if (figure != null) {
        figures.add(figure);
      }
    }
    return figures;
  }

  private FigureCall figure(Node node, String path, List<Beside> beside) {
    if (!(node instanceof Node.Mapping m) || m.entries().size() != 1) {
      FigureCall.Kind kind = binding.word(node, path, FigureCall.Kind.class, null);
      if (kind != null && needsQuantity(kind)) {
        binding.problems.add(
            node.at(), path + ": " + Binding.label(kind) + " needs a quantity: {quantity: ...}");
      }
      return kind == null ? null : new FigureCall(kind, null, List.of(), null, false, false, "run");
    }
    String name = m.entries().keySet().iterator().next();
    Node.Entry entry = m.entries().get(name);
    FigureCall.Kind kind =
        binding.word(new Node.Scalar(entry.at(), name, true), path, FigureCall.Kind.class, null);
    Section s = binding.section(entry.value(), path + "." + name);
    Node quantity = s.take("quantity");
    if (quantity == null && kind != null && needsQuantity(kind)) {
      binding.problems.add(s.at(), s.path("quantity") + " is missing: what is drawn");
    }
    QuantityCall call = quantity == null ? null : quantity(quantity, s.path("quantity"));
    Node times = s.take("times");
    List<Double> chosen = times == null ? List.of() : binding.numbers(times, s.path("times"));
    Node against = s.take("against");
    String key =
        against == null
            ? null
            : String.join(".", SweepKeys.canonical(binding.text(against, s.path("against"))));
    if (key == null && (kind == FigureCall.Kind.AGAINST || kind == FigureCall.Kind.MAP)) {
      binding.problems.add(s.at(), s.path("against") + " is missing: a swept key such as beta");
    }
    boolean logX = s.truth("log-x", false);
    boolean logY = s.truth("log-y", false);
    Node runNode = s.take("run");
    String run = runNode == null ? "run" : binding.text(runNode, s.path("run"));
    List<String> runs = new ArrayList<>(List.of("run", "control"));
    beside.forEach(b -> runs.add(b.name()));
    if (!runs.contains(run)) {
      binding.unknownWord(runNode, s.path("run"), runs, runs);
    }
    s.done();
    return kind == null ? null : new FigureCall(kind, call, chosen, key, logX, logY, run);
  }

  private static boolean needsQuantity(FigureCall.Kind kind) {
    return kind == FigureCall.Kind.CURVE
        || kind == FigureCall.Kind.AGAINST
        || kind == FigureCall.Kind.MAP;
  }

  /** A value as YAML in one line. */
  static String text(Node node) {
    if (node instanceof Node.Scalar s) {
      return s.plain()
          ? s.text()
          : '"' + s.text().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
    if (node instanceof Node.Sequence list) {
      return "[" + String.join(", ", list.items().stream().map(ClaimReader::text).toList()) + "]";
    }
    List<String> parts = new ArrayList<>();
    ((Node.Mapping) node).entries().forEach((key, e) -> parts.add(key + ": " + text(e.value())));
    return "{" + String.join(", ", parts) + "}";
  }
}
