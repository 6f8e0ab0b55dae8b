package org.starling.bench.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.model.Precision;
import org.starling.core.store.Json;

/**
 * What was found for one precision, mask and dimension.
 *
 * @param precision {@code SINGLE} (used in mixed precision too) or {@code DOUBLE}
 * @param causal whether it was measured under the causal mask, or the full one
 * @param d dimension
 * @param n tokens of the measurement
 * @param tiles the setting to use
 * @param tried every candidate, the shipped one first
 */
public record Tuned(
    Precision precision, boolean causal, int d, int n, String tiles, List<Candidate> tried) {
  /**
   * A candidate as measured.
   *
   * @param tiles the setting
   * @param seconds median time of a pass; NaN if it could not be run
   * @param ofShipped median over repetitions of its time over that of the shipped setting
   * @param remark why it could not be run, or empty
   */
  public record Candidate(String tiles, double seconds, double ofShipped, String remark) {}

  public Tuned {
    tried = List.copyOf(tried);
  }

  /** What an engine ships, against which this was chosen. */
  public String shipped() {
    return tried.get(0).tiles();
  }

  /** Time of the chosen tiles over that of the shipped ones. */
  public double gain() {
    for (Candidate c : tried) {
      if (c.tiles().equals(tiles)) {
        return c.ofShipped();
      }
    }
    return 1;
  }

  Map<String, Object> asMap() {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("precision", precision.name().toLowerCase(java.util.Locale.ROOT));
    m.put("mask", causal ? "causal" : "full");
    m.put("d", d);
    m.put("n", n);
    m.put("tiles", tiles);
    List<Object> all = new ArrayList<>();
    for (Candidate c : tried) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("tiles", c.tiles());
      one.put("seconds", c.seconds());
      one.put("of_shipped", c.ofShipped());
      one.put("remark", c.remark());
      all.add(one);
    }
    m.put("tried", all);
    return m;
  }

  /** Reads {@link #asMap}; throws whatever a wrong type or a missing part leads to. */
  static Tuned of(Map<?, ?> m) {
    List<Candidate> tried = new ArrayList<>();
    for (Object o : (List<?>) m.get("tried")) {
      Map<?, ?> c = (Map<?, ?>) o;
      tried.add(
          new Candidate(
              text(c, "tiles"),
              Json.number(c.get("seconds")),
              Json.number(c.get("of_shipped")),
              text(c, "remark")));
    }
    String mask = text(m, "mask");
    if (!mask.equals("full") && !mask.equals("causal")) {
      throw new IllegalArgumentException("mask is full or causal, not " + mask);
    }
    return new Tuned(
        Precision.valueOf(text(m, "precision").toUpperCase(java.util.Locale.ROOT)),
        mask.equals("causal"),
        Math.toIntExact(Json.integer(m.get("d"))),
        Math.toIntExact(Json.integer(m.get("n"))),
        text(m, "tiles"),
        tried);
  }

  static String text(Map<?, ?> m, String key) {
    if (m.get(key) instanceof String s) {
      return s;
    }
    throw new IllegalArgumentException("no text under '" + key + "'");
  }
}
