package org.starling.core.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A YAML value that knows where it stands. */
public sealed interface Node {
  Position at();

  /** What it is, for messages: "the word causal", "the number 4", "a list", "a mapping". */
  String describe();

  /**
   * A scalar as written.
   *
   * @param plain true where it was written without quotes, so that it may mean a number, a truth
   *     value or nothing at all
   */
  record Scalar(Position at, String text, boolean plain) implements Node {
    /** True for an absent value: nothing, {@code ~} or {@code null}. */
    public boolean isNull() {
      return plain
          && (text.isEmpty()
              || text.equals("~")
              || text.equals("null")
              || text.equals("Null")
              || text.equals("NULL"));
    }

    /** The number meant under the core schema of YAML 1.2, or null. */
    public Number number() {
      return plain ? YamlNumbers.parse(text) : null;
    }

    @Override
    public String describe() {
      if (isNull()) {
        return "nothing";
      }
      if (number() != null) {
        return "the number " + text;
      }
      return plain ? text : "the text \"" + text + "\"";
    }
  }

  record Sequence(Position at, List<Node> items) implements Node {
    @Override
    public String describe() {
      return "a list";
    }
  }

  record Mapping(Position at, Map<String, Entry> entries) implements Node {
    static Mapping empty(Position at) {
      return new Mapping(at, new LinkedHashMap<>());
    }

    @Override
    public String describe() {
      return "a mapping";
    }
  }

  /**
   * @param at where the key stands
   */
  record Entry(Position at, Node value) {}
}
