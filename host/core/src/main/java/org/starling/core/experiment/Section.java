package org.starling.core.experiment;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.starling.core.experiment.Binding.Range;

/** A mapping being read: every key is asked for once; what nobody asked for is an unknown key. */
public final class Section {
  private final Binding binding;
  private final Node.Mapping node;
  private final String path;
  private final Set<String> known = new LinkedHashSet<>();

  Section(Binding binding, Node.Mapping node, String path) {
    this.binding = binding;
    this.node = node;
    this.path = path;
  }

  public Position at() {
    return node.at();
  }

  public String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The value of a key, or null where it is absent or empty. */
  public Node take(String key) {
    known.add(key);
    binding.asked.add(path(key));
    Node.Entry entry = node.entries().get(key);
    if (entry == null) {
      return null;
    }
    binding.where.put(path(key), entry.value().at());
    return entry.value() instanceof Node.Scalar s && s.isNull() ? null : entry.value();
  }

  /** Like {@link #take}, but its absence is a problem described by {@code advice}. */
  public Node require(String key, String advice) {
    Node value = take(key);
    if (value == null) {
      binding.problems.add(at(), path(key) + " is missing: " + advice);
    }
    return value;
  }

  public boolean has(String key) {
    return node.entries().containsKey(key);
  }

  public double number(String key, double otherwise, Range range) {
    Node value = take(key);
    return value == null ? otherwise : binding.number(value, path(key), range);
  }

  public int integer(String key, int otherwise, int min) {
    Node value = take(key);
    return value == null
        ? otherwise
        : (int) binding.integer(value, path(key), min, Integer.MAX_VALUE);
  }

  public long integer(String key, long otherwise, long min) {
    Node value = take(key);
    return value == null ? otherwise : binding.integer(value, path(key), min, Long.MAX_VALUE);
  }

  /** An optional whole number; null where absent. */
  public Integer optionalInteger(String key, int min) {
    Node value = take(key);
    return value == null ? null : (int) binding.integer(value, path(key), min, Integer.MAX_VALUE);
  }

  public boolean truth(String key, boolean otherwise) {
    Node value = take(key);
    return value == null ? otherwise : binding.truth(value, path(key));
  }

  public String text(String key, String otherwise) {
    Node value = take(key);
    return value == null ? otherwise : binding.text(value, path(key));
  }

  public <E extends Enum<E>> E word(String key, Class<E> type, E otherwise) {
    Node value = take(key);
    return value == null ? otherwise : binding.word(value, path(key), type, otherwise);
  }

  /** A nested mapping; an absent one is an empty one. */
  public Section section(String key) {
    Node value = take(key);
    return binding.section(value == null ? Node.Mapping.empty(at()) : value, path(key));
  }

  /** The nearest key here; at the top also the same key one level down, as model.beta for beta. */
  private String suggestion(String key) {
    if (path.isEmpty()) {
      for (String asked : binding.asked) {
        if (asked.endsWith("." + key) && asked.indexOf('.') == asked.lastIndexOf('.')) {
          return "; did you mean " + asked + "?";
        }
      }
    }
    return Suggestion.forWord(key, known);
  }

  /** Reports the keys that were never asked for. */
  public void done() {
    for (Map.Entry<String, Node.Entry> e : node.entries().entrySet()) {
      if (!known.contains(e.getKey())) {
        binding.problems.add(
            e.getValue().at(),
            "unknown key "
                + path(e.getKey())
                + suggestion(e.getKey())
                + " (known here: "
                + String.join(", ", known)
                + ")");
      }
    }
  }
}
