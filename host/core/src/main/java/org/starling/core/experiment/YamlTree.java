package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads one YAML document into {@link Node}s. Numbers are not interpreted here: a seed of 20 digits
 * must not pass through a double. Anchors, aliases and tags are refused rather than half
 * understood.
 */
final class YamlTree {
  private static final YAMLFactory FACTORY = new YAMLFactory();
  private static final Set<Integer> MARKS = Set.of((int) '"', (int) '\'', (int) '|', (int) '>');

  private static final Pattern PLACE = Pattern.compile("line ([0-9]+), column ([0-9]+)");

  private final String source;
  private final Path base;
  private final int[] characters;
  private final YAMLParser parser;
  private final Problems problems;
  private final boolean positioned;

  private YamlTree(
      String source, Path base, String text, YAMLParser parser, Problems problems, boolean lines) {
    this.source = source;
    this.base = base;
    this.characters = text.codePoints().toArray();
    this.parser = parser;
    this.problems = problems;
    this.positioned = lines;
  }

  /**
   * The document's root, or null when the text is empty or not YAML (then {@code problems} says
   * so).
   *
   * @param positioned false for a command-line value, whose line and column say nothing
   */
  static Node read(String source, Path base, String text, Problems problems, boolean positioned) {
    String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (YAMLParser parser = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), body)) {
      YamlTree tree = new YamlTree(source, base, body, parser, problems, positioned);
      try {
        return tree.document();
      } catch (JacksonException e) {
        problems.add(tree.position(e), "not valid YAML: " + reason(e));
        return null;
      }
    }
  }

  private Node document() {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return null;
    }
    Node root = node(first);
    if (parser.nextToken() != null) {
      problems.add(here(), "a second YAML document; an experiment is one document");
    }
    return root;
  }

  private Node node(JsonToken token) {
    Position at = here();
    if (parser.isCurrentAlias() || parser.getObjectId() != null) {
      problems.add(at, "YAML anchors and aliases are not supported; write the value out");
    }
    if (parser.getTypeId() != null) {
      problems.add(at, "YAML tags are not supported; write the plain value");
    }
    if (token == JsonToken.START_OBJECT) {
      return mapping(at);
    }
    if (token == JsonToken.START_ARRAY) {
      List<Node> items = new ArrayList<>();
      JsonToken next;
      while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
        items.add(node(next));
      }
      return new Node.Sequence(at, items);
    }
    return new Node.Scalar(at, parser.getString(), plain(token));
  }

  private Node mapping(Position at) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Position keyAt = here();
      String key = parser.getString();
      Node.Entry earlier = entries.get(key);
      Node value = node(parser.nextToken());
      if (earlier != null) {
        problems.add(keyAt, "key " + key + " is given twice; the first is at " + earlier.at());
      } else {
        entries.put(key, new Node.Entry(keyAt, value));
      }
    }
    return new Node.Mapping(at, entries);
  }

  /** The parser does not tell 9 from '9'; the character at the token's start does. */
  private boolean plain(JsonToken token) {
    if (token != JsonToken.VALUE_STRING) {
      return true;
    }
    long offset = parser.currentTokenLocation().getCharOffset();
    return offset < 0 || offset >= characters.length || !MARKS.contains(characters[(int) offset]);
  }

  private Position here() {
    return position(parser.currentTokenLocation());
  }

  private Position position(TokenStreamLocation where) {
    return positioned && where != null
        ? new Position(source, where.getLineNr(), where.getColumnNr(), base)
        : new Position(source, 0, 0, base);
  }

  /**
   * The last place that the parser names is the fault; its location may be where it began to read.
   */
  private Position position(JacksonException e) {
    Position at = position(e.getLocation());
    Matcher named = PLACE.matcher(e.getOriginalMessage());
    while (positioned && named.find()) {
      at =
          new Position(
              source, Integer.parseInt(named.group(1)), Integer.parseInt(named.group(2)), base);
    }
    return at;
  }

  /** The parser's own words without the excerpts of the text that it puts around them. */
  private static String reason(JacksonException e) {
    String reason = "";
    for (String line : e.getOriginalMessage().split("\n", -1)) {
      if (!line.isBlank() && !line.startsWith(" ")) {
        reason = line;
      }
    }
    return reason.replace(", but got :", ", but got ':'").strip();
  }
}
