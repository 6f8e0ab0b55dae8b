package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may be swept, and how keys are written: {@code beta} is short for {@code model.beta}. */
final class SweepKeys {
  static final String SWEEP = "sweep";

  /** Forms of values besides a list. */
  static final List<String> FORMS = List.of("linspace", "geomspace", "logspace", "range");

  /** Keys of {@code model} that may stand without their block. */
  private static final Set<String> MODEL =
      Set.of(
          "geometry",
          "mask",
          "normalisation",
          "beta",
          "heads",
          "score_scale",
          "layer_time",
          "Q",
          "K",
          "V",
          "interaction",
          "noise",
          "feed_forward",
          "scheme",
          "sink");

  /** Keys of {@code tokens} that may. */
  private static final Set<String> TOKENS = Set.of("init", "frozen", "weights");

  private static final List<String> BLOCKS =
      List.of(
          "model",
          "tokens",
          "integrator",
          "stop",
          "observe",
          "save",
          "check",
          "seed",
          "execution",
          SWEEP);

  private static final List<String> WORDS =
      List.of(
          "beta",
          "seed",
          "mask",
          "layer_time",
          "Q",
          "K",
          "V",
          "noise",
          "feed_forward",
          "scheme",
          "sink",
          "init",
          "frozen",
          "weights",
          "model",
          "tokens");

  private static final Map<String, String> REFUSED = new LinkedHashMap<>();

  static {
    String shape = "decides the shape of the state, and the replicas of a run have one shape";
    REFUSED.put("tokens.n", shape);
    REFUSED.put("tokens.d", shape);
    REFUSED.put(
        "tokens.replicas", "is the number of starts at every point of the sweep; write it there");
    REFUSED.put("tokens.init.file", "is a file, and the values of a sweep are numbers");
    REFUSED.put("model.heads", "decides the shape of the weights; list the matrices instead");
    REFUSED.put("model.geometry", "is a word, and the replicas of a run have one geometry");
    REFUSED.put("model.normalisation", "is a word, and the values of a sweep are numbers");
    REFUSED.put("model.score_scale", "is a word, and the values of a sweep are numbers");
    REFUSED.put("model.interaction", "is a class, and the values of a sweep are numbers");
    for (String block : List.of("integrator", "stop", "observe", "save", "check", "execution")) {
      REFUSED.put(block, "is shared by all replicas of a run");
    }
  }

  private SweepKeys() {}

  /** A path with its block written out and indices as parts: {@code V[0].scale} for example. */
  static List<String> canonical(String path) {
    return canonical(List.of(path.replace("[", ".").replace("]", "").split("\\.", -1)));
  }

  static List<String> canonical(List<String> path) {
    List<String> whole = new ArrayList<>(path);
    if (MODEL.contains(path.get(0))) {
      whole.add(0, "model");
    } else if (TOKENS.contains(path.get(0))) {
      whole.add(0, "tokens");
    }
    return whole;
  }

  /** Why a canonical key cannot be swept, as the end of a sentence about it; null if it can be. */
  static String refusal(String key) {
    for (Map.Entry<String, String> e : REFUSED.entrySet()) {
      if (key.equals(e.getKey()) || key.startsWith(e.getKey() + ".")) {
        boolean advice = !e.getKey().equals("tokens.replicas");
        return e.getValue()
            + (advice ? "; run the experiment once a value, with --set " + key + "=..." : "");
      }
    }
    String first = key.split("\\.", -1)[0];
    if (!BLOCKS.contains(first) || first.equals(SWEEP)) {
      return "is not a key of an experiment"
          + Suggestion.forWord(first, WORDS)
          + " (what can be swept: beta, seed, the numbers of mask, Q, K, V, noise, feed_forward,"
          + " scheme, sink, init, frozen and weights, layer_time)";
    }
    return key.equals("model") || key.equals("tokens") || key.equals("tokens.init")
        ? "is a block; name a number in it, such as "
            + (first.equals("model") ? "beta" : "init.equiangular")
        : null;
  }
}
