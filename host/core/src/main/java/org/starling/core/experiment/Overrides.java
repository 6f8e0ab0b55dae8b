package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
    return set(root, path, 0, value == null ? absent : value, at);
  }

  /** {@code mask.0.window} and {@code mask[0].window} mean the same. */
  private static List<String> segments(String key) {
    return new ArrayList<>(List.of(key.replace("[", ".").replace("]", "").split("\\.", -1)));
  }

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
    mapping.entries().put(key, new Node.Entry(at, child));
    return mapping;
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
    if (index < size) {
      list.items().set(index, child);
    } else {
      list.items().add(child);
    }
    return list;
  }
}
