package org.starling.core.experiment;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which run of a claim an experiment file is read as.
 *
 * @param name {@code run} for the experiment itself, {@code control}, or the name of one beside
 * @param quick whether the smaller settings apply
 */
public record ClaimRun(String name, boolean quick) {
  public static final String RUN = "run";
  public static final String CONTROL = "control";

  /** The experiment itself in full. */
  public static final ClaimRun MAIN = new ClaimRun(RUN, false);

  /** What the quick settings change; empty where the file says nothing. */
  Map<String, Node> quickChanges(Node root) {
    return set(child(child(root, ClaimReader.CLAIM), "quick"));
  }

  /** What distinguishes this run from the experiment itself. */
  Map<String, Node> changes(Node root) {
    Node claim = child(root, ClaimReader.CLAIM);
    Node own = null;
    if (name.equals(CONTROL)) {
      own = child(claim, CONTROL);
    } else if (!name.equals(RUN) && child(claim, "beside") instanceof Node.Sequence list) {
      for (Node item : list.items()) {
        if (child(item, "name") instanceof Node.Scalar s && s.text().equals(name)) {
          own = item;
        }
      }
    }
    Map<String, Node> changes = set(own);
    if (quick) {
      changes.putAll(set(child(own, "quick")));
    }
    return changes;
  }

  private static Map<String, Node> set(Node node) {
    Map<String, Node> changes = new LinkedHashMap<>();
    if (child(node, "set") instanceof Node.Mapping m) {
      m.entries().forEach((key, entry) -> changes.put(key, entry.value()));
    }
    return changes;
  }

  private static Node child(Node node, String key) {
    Node.Entry entry = node instanceof Node.Mapping m ? m.entries().get(key) : null;
    return entry == null ? null : entry.value();
  }
}
