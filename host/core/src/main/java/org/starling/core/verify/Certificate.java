package org.starling.core.verify;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.starling.core.engine.EngineIdentity;

/**
 * What was measured about the correctness of one engine on one device with one driver: a line per
 * variant. It is a statement about numbers, so its id depends on nothing but its content.
 *
 * @param key what the statement is about
 * @param partial true when only the variants that some runs launched were measured
 * @param lines one per variant, ordered by variant
 */
public record Certificate(Key key, boolean partial, List<Line> lines) {

  /**
   * What decides whether a measurement still holds: another driver or kernel text is another key,
   * and so are other tile sizes and other rules to judge by.
   *
   * @param settings build options, tile sizes and whatever else decides the bits
   * @param jdk version of the Java runtime
   * @param rules {@link Verifier#RULES} at the time
   */
  public record Key(
      String engine,
      String device,
      String driver,
      String platform,
      String kernelHash,
      String settings,
      String jdk,
      int rules) {
    public static Key of(EngineIdentity identity) {
      return new Key(
          identity.engine(),
          identity.device(),
          identity.driver(),
          identity.platform(),
          identity.kernelHash(),
          identity.settings().toString(),
          Runtime.version().toString(),
          Verifier.RULES);
    }
  }

  /**
   * The verdict on one variant.
   *
   * @param cases situations measured
   * @param median largest of the median errors
   * @param worst worst error, where it came closest to what is allowed (the largest one where the
   *     line states the error of half storage)
   * @param allowed what was allowed there
   * @param passed whether every situation kept the rule
   * @param remark what failed first, or empty
   */
  public record Line(
      String variant,
      int cases,
      double median,
      double worst,
      double allowed,
      boolean passed,
      String remark) {
    /** Error over what was allowed, where it came closest; 0 where there was no error at all. */
    public double worstShare() {
      return worst == 0 ? 0 : worst / allowed;
    }
  }

  public Certificate {
    List<Line> sorted = new ArrayList<>(lines);
    sorted.sort(Comparator.comparing(Line::variant));
    lines = List.copyOf(sorted);
  }

  /** A certificate from measurements, those of one variant drawn together. */
  public static Certificate of(Key key, boolean partial, Collection<Measurement> measurements) {
    Map<String, List<Measurement>> groups = new TreeMap<>();
    for (Measurement m : measurements) {
      groups.computeIfAbsent(m.variant(), v -> new ArrayList<>()).add(m);
    }
    List<Line> lines = new ArrayList<>();
    groups.forEach((variant, group) -> lines.add(line(variant, group)));
    return new Certificate(key, partial, lines);
  }

  private static Line line(String variant, List<Measurement> group) {
    Measurement closest = group.get(0);
    double median = 0;
    boolean passed = true;
    String remark = "";
    for (Measurement m : group) {
      // Math.max keeps NaN.
      median = Math.max(median, m.median());
      if (!(share(m) <= share(closest)) && !Double.isNaN(share(closest))) {
        closest = m;
      }
      if (!m.passed() && passed) {
        passed = false;
        remark =
            m.operation()
                + " n="
                + m.n()
                + " beta="
                + m.beta()
                + " "
                + m.state()
                + ": "
                + m.remark();
      }
    }
    return new Line(
        variant, group.size(), median, closest.worst(), closest.allowed(), passed, remark);
  }

  private static double share(Measurement m) {
    return StorageError.rank(m.operation(), m.worst(), m.allowed());
  }

  /**
   * Both together; the lines of {@code newer} win, and the result is partial unless one is full.
   */
  public Certificate with(Certificate newer) {
    if (!key.equals(newer.key)) {
      throw new IllegalArgumentException("certificates of different devices cannot be joined");
    }
    Map<String, Line> joined = new LinkedHashMap<>();
    lines.forEach(l -> joined.put(l.variant(), l));
    newer.lines.forEach(l -> joined.put(l.variant(), l));
    return new Certificate(key, partial && newer.partial, List.copyOf(joined.values()));
  }

  public boolean covers(Collection<String> variants) {
    return variants.stream().allMatch(v -> lines.stream().anyMatch(l -> l.variant().equals(v)));
  }

  public boolean passed() {
    return lines.stream().allMatch(Line::passed);
  }

  /**
   * Of the given lines that measure the error of half storage, the one with the largest; empty if
   * there is none.
   */
  public Optional<Line> storageError(Collection<String> variants) {
    return lines.stream()
        .filter(l -> variants.contains(l.variant()) && StorageError.isLine(l.variant()))
        .max(Comparator.comparingDouble(Line::worst));
  }

  /** Those of the given variants that were measured and failed. */
  public List<Line> failures(Collection<String> variants) {
    return lines.stream().filter(l -> !l.passed() && variants.contains(l.variant())).toList();
  }

  /** First 16 hexadecimal digits of the sha256 over the content. */
  public String id() {
    StringBuilder text = new StringBuilder();
    text.append(key).append('\n').append(partial).append('\n');
    for (Line l : lines) {
      // Hexadecimal digits, since decimal ones differ between Java versions.
      text.append(l.variant()).append('|').append(l.cases());
      text.append('|').append(Double.toHexString(l.median()));
      text.append('|').append(Double.toHexString(l.worst()));
      text.append('|').append(Double.toHexString(l.allowed()));
      text.append('|').append(l.passed()).append('|').append(l.remark()).append('\n');
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
