package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Applies {@code key=value} overrides of the command line to the tree of a file. */
final class Overrides {
  private final Problems problems;
  private final Path base;

  /**
   * @param base directory that file names in values are relative to: the working directory
   */
  Overrides(Problems problems, Path base) {
    this.problems = problems;
    this.base = base;
  }

  Node apply(Node root, String override) {
    String source = Position.OVERRIDE + override;
    Position at = new Position(source, 0, 0, base);
    int equals = override.indexOf('=');
    if (equals < 1) {
      problems.add(at, "an override is key=value, such as model.beta=4");
      return root;
    }
    List<String> path = segments(override.substring(0, equals).strip());
    for (String segment : path) {
      if (segment.isEmpty()) {
        problems.add(at, "the key has an empty part; write it like model.beta or observe.0");
        return root;
      }
    }
    int before = problems.count();
    Node value = YamlTree.read(source, base, override.substring(equals + 1), problems, false);
    if (problems.count() > before) {
      return root;
    }
    Node absent = new Node.Scalar(at, "", true);
    return set(root, whole(path), 0, value == null ? absent : value, at);
  }

  /** As {@link #apply(Node, String)}, for a value that stands in a file. */
  Node apply(Node root, String key, Node value) {
    return set(root, whole(segments(key)), 0, value, value.at());
  }

  /** A swept key is one part of a path, which a form such as linspace may follow. */
  private static List<String> whole(List<String> path) {
    if (path.size() < 2 || !path.get(0).equals(SweepKeys.SWEEP)) {
      return path;
    }
    List<String> key = SweepKeys.canonical(path.subList(1, path.size()));
    int length = 0;
    while (length < key.size() && !SweepKeys.FORMS.contains(key.get(length))) {
      length++;
    }
    List<String> all = new ArrayList<>(List.of(SweepKeys.SWEEP));
    all.add(String.join(".", key.subList(0, length)));
    all.addAll(key.subList(length, key.size()));
    return all;
  }

  /**
   * The tree with another value at a path.
   *
   * @param path parts of the key, list items by their index
   * @param at where the value comes from
   */
  Node with(Node root, List<String> path, Node value, Position at) {
    return set(root, path, 0, value, at);
  }

  /** {@code mask.0.window} and {@code mask[0].window} mean the same. */
  private static List<String> segments(String key) {
    return new ArrayList<>(List.of(key.replace("[", ".").replace("]", "").split("\\.", -1)));
  }

  /** Gives a new tree that shares what it can with the old one, which stays as it is. */
  private Node set(Node node, List<String> path, int depth, Node value, Position at) {
    if (depth == path.size()) {
      return value;
    }
    String key = path.get(depth);
    if (node instanceof Node.Sequence list) {
      return setItem(list, path, depth, value, at);
    }
    // A word such as identity gives way to the mapping that the longer key asks for.
    Node.Mapping mapping = node instanceof Node.Mapping m ? m : Node.Mapping.empty(at);
    Node.Entry entry = mapping.entries().get(key);
    Node child = set(entry == null ? null : entry.value(), path, depth + 1, value, at);
    Map<String, Node.Entry> entries = new LinkedHashMap<>(mapping.entries());
    entries.put(key, new Node.Entry(at, child));
    return new Node.Mapping(mapping.at(), entries);
  }

  private Node setItem(Node.Sequence list, List<String> path, int depth, Node value, Position at) {
    String key = path.get(depth);
    String name = String.join(".", path.subList(0, depth));
    int size = list.items().size();
    if (!key.matches("[0-9]{1,6}")) {
      problems.add(
          at, name + " is a list; name an item by its index from 0, such as " + name + ".0");
      return list;
    }
    int index = Integer.parseInt(key);
    if (index > size) {
      problems.add(at, name + " has " + size + " items; index " + index + " would leave a gap");
      return list;
    }
    Node old = index < size ? list.items().get(index) : null;
    Node child = set(old, path, depth + 1, value, at);
    List<Node> items = new ArrayList<>(list.items());
    if (index < size) {
      items.set(index, child);
    } else {
      items.add(child);
    }
    return new Node.Sequence(list.at(), items);
  }
}
