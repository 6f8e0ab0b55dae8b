package org.starling.core.engine;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How an engine's evaluations so far summed over keys, for the record of a run.
 *
 * @param basis functions of the longest series that was used
 * @param terms its highest frequency or degree; 0 if every sum was pair by pair
 * @param truncation bound of what the series leaves out of a key's weight, relative to the largest
 *     weight that a key can have
 * @param rows rows of evaluations for which the series was tried
 * @param rowsByPairs those of them that were computed pair by pair, since the bound of their own
 *     error was above what is allowed
 */
public record SummationReport(
    Basis basis, int terms, double truncation, long rows, long rowsByPairs) {
  /** Functions that a series is made of. */
  public enum Basis {
    /** On the circle, d = 2. */
    FOURIER("K = %d frequencies"),
    /** On the sphere, d = 3. */
    SPHERICAL_HARMONICS("spherical harmonics up to degree L = %d");

    private final String length;

    Basis(String length) {
      this.length = length;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public static final SummationReport PAIRS = new SummationReport(Basis.FOURIER, 0, 0, 0, 0);

  /** Both together. */
  public SummationReport and(SummationReport other) {
    return new SummationReport(
        terms >= other.terms ? basis : other.basis,
        Math.max(terms, other.terms),
        Math.max(truncation, other.truncation),
        rows + other.rows,
        rowsByPairs + other.rowsByPairs);
  }

  /** For a person, e.g. {@code expansion in K = 38 frequencies (...)}. */
  public String sentence() {
    return terms == 0
        ? "pairs"
        : String.format(
            Locale.ROOT,
            "expansion in " + basis.length + " (what it leaves out: %.1e); %d of %d rows by pairs",
            terms,
            truncation,
            rowsByPairs,
            rows);
  }

  /** For a manifest. */
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("by", terms == 0 ? "pairs" : "expansion");
    if (terms > 0) {
      facts.put("basis", basis.label());
      facts.put("terms", terms);
      facts.put("truncation", truncation);
      facts.put("rows", rows);
      facts.put("rows_by_pairs", rowsByPairs);
    }
    return facts;
  }
}
