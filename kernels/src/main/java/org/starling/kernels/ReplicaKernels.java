package org.starling.kernels;

import java.util.ArrayList;
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
   * Keys summed apart from others, by default; part of the bits. Differences to a token of a
   * spread-out cloud all point to its inside, so that long sums grow and round more than those of
   * positions.
   */
  public static final int PANEL = 16;

  public static final KernelSource ADVANCE = source("replica_watches.cl", "advance_replicas.cl");
  public static final KernelSource ADAPT =
      source("replica_watches.cl", "step_sizes.cl", "adapt_replicas.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(ADVANCE, ADAPT);

  /** Places for slopes that an adaptive kernel has arguments for. */
  public static final int PLACES = 6;

  private ReplicaKernels() {}

  private static KernelSource source(String... own) {
    List<String> files =
        new ArrayList<>(List.of("real.cl", "plan.cl", "replica_rows.cl", "replica_steps.cl"));
    files.addAll(List.of(own));
    String last = own[own.length - 1];
    return new KernelSource(last.substring(0, last.length() - ".cl".length()), files);
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
   * @param panel keys summed apart from others
   */
  public static KernelVariant advance(
      boolean fp64, int d, int n, int stages, int lanes, boolean watched, int panel) {
    return variant(ADVANCE, fp64, d, n, stages, lanes, watched, panel);
  }

  /** Whole steps of replicas by an adaptive scheme; parameters as for {@link #advance}. */
  public static KernelVariant adapt(
      boolean fp64, int d, int n, int stages, int lanes, boolean watched, int panel) {
    return variant(ADAPT, fp64, d, n, stages, lanes, watched, panel);
  }

  private static KernelVariant variant(
      KernelSource source,
      boolean fp64,
      int d,
      int n,
      int stages,
      int lanes,
      boolean watched,
      int panel) {
    boolean staged = lanes == 1;
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(lanes));
    defines.put("D", Integer.toString(d));
    defines.put("NMAX", Integer.toString(capacity(n)));
    defines.put("ITEMS", Integer.toString(staged ? items(n) : 1));
    defines.put("STAGES", Integer.toString(stages));
    defines.put("PANEL", Integer.toString(panel));
    defines.put("PACK", Integer.toString(AttentionKernels.packWidth(fp64)));
    defines.put("STAGED", staged ? "1" : "0");
    defines.put("WATCHED", watched ? "1" : "0");
    return source.with(defines);
  }
}
