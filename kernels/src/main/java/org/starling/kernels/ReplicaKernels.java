package org.starling.kernels;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kernels that make whole steps of small replicas, and the build defines of their variants. */
public final class ReplicaKernels {
  /** Tokens of a replica, at most. */
  public static final int MOST_TOKENS = 1024;

  /** Work-items of a work-group, at most; untested on GPUs. */
  private static final int MOST_ITEMS = 128;

  private static final int FEWEST_TOKENS = 32;

  /**
   * Keys summed apart from others; part of the bits. Differences to a token of a spread-out cloud
   * all point to its inside, so that long sums grow and round more than those of positions.
   */
  private static final int PANEL = 16;

  public static final KernelSource ADVANCE = source("advance_replicas");
  public static final KernelSource ADAPT = source("adapt_replicas");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(ADVANCE, ADAPT);

  /** Places for slopes that an adaptive kernel has arguments for. */
  public static final int PLACES = 6;

  private ReplicaKernels() {}

  private static KernelSource source(String entry) {
    return KernelSource.of(
        entry,
        "real.cl",
        "plan.cl",
        "replica_rows.cl",
        "replica_steps.cl",
        "replica_watches.cl",
        entry + ".cl");
  }

  /** Tokens that the variant for n tokens has room for: a power of two, so that there are few. */
  static int capacity(int n) {
    return Math.max(FEWEST_TOKENS, Integer.highestOneBit(Math.max(1, n - 1)) << 1);
  }

  /** Work-items that share a replica on GPUs. */
  public static int items(int n) {
    return Math.min(MOST_ITEMS, capacity(n));
  }

  /** Local memory of the variants for GPUs, in bytes. */
  public static long localBytes(boolean fp64, int d, int n) {
    int real = fp64 ? 8 : 4;
    return (long) capacity(n) * (d * real + real + 4L) + items(n) * (real + 8L);
  }

  /**
   * Whole steps of replicas.
   *
   * @param stages slopes of the scheme
   * @param lanes for CPUs: numbers of a vector, a row each; 1 for GPUs: rows dealt out to the items
   *     of a work-group
   * @param watched whether steps stop at conditions
   */
  public static KernelVariant advance(
      boolean fp64, int d, int n, int stages, int lanes, boolean watched) {
    return variant(ADVANCE, fp64, d, n, stages, lanes, watched);
  }

  /** Whole steps of replicas by an adaptive scheme; parameters as for {@link #advance}. */
  public static KernelVariant adapt(
      boolean fp64, int d, int n, int stages, int lanes, boolean watched) {
    return variant(ADAPT, fp64, d, n, stages, lanes, watched);
  }

  private static KernelVariant variant(
      KernelSource source, boolean fp64, int d, int n, int stages, int lanes, boolean watched) {
    boolean staged = lanes == 1;
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(lanes));
    defines.put("D", Integer.toString(d));
    defines.put("NMAX", Integer.toString(capacity(n)));
    defines.put("ITEMS", Integer.toString(staged ? items(n) : 1));
    defines.put("STAGES", Integer.toString(stages));
    defines.put("PANEL", Integer.toString(PANEL));
    defines.put("PACK", Integer.toString(AttentionKernels.packWidth(fp64)));
    defines.put("STAGED", staged ? "1" : "0");
    defines.put("WATCHED", watched ? "1" : "0");
    return source.with(defines);
  }
}
