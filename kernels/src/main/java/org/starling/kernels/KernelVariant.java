package org.starling.kernels;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One way to build a kernel.
 *
 * @param source what is built
 * @param defines macros that decide the variant, sorted by name so that equal variants give equal
 *     options
 */
public record KernelVariant(KernelSource source, SortedMap<String, String> defines) {
  /**
   * Options of every build. Relaxed mathematics would break compensated sums and infinities, so it
   * is never on; OpenCL C 1.2 is what all drivers accept.
   */
  public static final String BASE_OPTIONS = "-cl-std=CL1.2";

  public KernelVariant {
    defines = Collections.unmodifiableSortedMap(new TreeMap<>(defines));
  }

  public KernelVariant(KernelSource source, Map<String, String> defines) {
    this(source, new TreeMap<>(defines));
  }

  /** Build options, macros included. */
  public String options() {
    StringBuilder options = new StringBuilder(BASE_OPTIONS);
    defines.forEach((name, value) -> options.append(" -D").append(name).append('=').append(value));
    return options.toString();
  }

  /** Name for messages and certificates: the entry and its macros. */
  public String name() {
    return defines.isEmpty() ? source.entry() : source.entry() + defines;
  }
}
