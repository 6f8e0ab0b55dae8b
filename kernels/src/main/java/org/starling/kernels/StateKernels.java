package org.starling.kernels;

import java.util.List;
import java.util.Map;

/**
 * Kernels on states and fields. Each is built with one of {@link #SINGLE}, {@link #MIXED} and
 * {@link #DOUBLE}; {@link #SPREAD} also needs {@code FROM_FIRST} = 0 (norms) or 1 (distances to the
 * first token), and those on lanes the defines of {@link #flat} or {@link #tokens}.
 */
public final class StateKernels {
  public static final Map<String, String> SINGLE = Map.of("PRECISION_SINGLE", "1");
  public static final Map<String, String> MIXED = Map.of("PRECISION_MIXED", "1");
  public static final Map<String, String> DOUBLE = Map.of("PRECISION_DOUBLE", "1");

  /** Tokens reduced by one work-item of the observers, TOKENS_PER_ITEM in precision.cl. */
  public static final int TOKENS_PER_ITEM = 16;

  /** The same for {@link #ERROR_NORM}, {@link #LARGEST} and {@link #KEY_SHIFT}, within steps. */
  public static final int TOKENS_PER_STEP_ITEM = 4;

  /** Tokens a part of {@link #COORDINATE_SUMS} covers. */
  public static final int TOKENS_PER_SUM = 1024;

  /** Most fields of one linear combination. */
  public static final int MOST_TERMS = 8;

  public static final KernelSource COMBINE =
      KernelSource.of("combine", "precision.cl", "lanes.cl", "terms.cl", "combine.cl");
  public static final KernelSource COMBINE_BOTH =
      KernelSource.of("combine_both", "precision.cl", "lanes.cl", "terms.cl", "combine_both.cl");
  public static final KernelSource RETRACT =
      KernelSource.of("retract", "precision.cl", "lanes.cl", "retract.cl");
  public static final KernelSource NOISE =
      KernelSource.of("noise", "precision.cl", "philox.cl", "noise.cl");
  public static final KernelSource SCALE_TOKENS =
      KernelSource.of("scale_tokens", "precision.cl", "scale_tokens.cl");
  public static final KernelSource MAP_TOKENS =
      KernelSource.of("map_tokens", "precision.cl", "map_tokens.cl");
  public static final KernelSource ADD_TOKENS =
      KernelSource.of("add_tokens", "precision.cl", "add_tokens.cl");
  public static final KernelSource ERROR_NORM =
      KernelSource.of("error_norm", "precision.cl", "lanes.cl", "terms.cl", "error_norm.cl");
  public static final KernelSource LARGEST =
      KernelSource.of("largest", "precision.cl", "largest.cl");
  public static final KernelSource KEY_SHIFT =
      KernelSource.of("key_shift", "precision.cl", "lanes.cl", "key_shift.cl");
  public static final KernelSource SPREAD = KernelSource.of("spread", "precision.cl", "spread.cl");
  public static final KernelSource NON_FINITE =
      KernelSource.of("non_finite", "precision.cl", "lanes.cl", "non_finite.cl");
  public static final KernelSource COORDINATE_SUMS =
      KernelSource.of("coordinate_sums", "precision.cl", "coordinate_sums.cl");
  public static final KernelSource SECOND_MOMENT =
      KernelSource.of("second_moment", "precision.cl", "second_moment.cl");

  /** All of them. */
  public static final List<KernelSource> ALL =
      List.of(
          COMBINE,
          COMBINE_BOTH,
          RETRACT,
          NOISE,
          SCALE_TOKENS,
          MAP_TOKENS,
          ADD_TOKENS,
          ERROR_NORM,
          LARGEST,
          KEY_SHIFT,
          SPREAD,
          NON_FINITE,
          COORDINATE_SUMS,
          SECOND_MOMENT);

  /** Numbers that a work-item of a CPU device combines. */
  private static final int CHUNK = 2048;

  /** Tokens that a work-item of a CPU device retracts. */
  private static final int TOKENS = 16;

  private StateKernels() {}

  /** Numbers that a work-item of {@link #COMBINE} and {@link #COMBINE_BOTH} takes. */
  public static int chunk(boolean cpu) {
    return cpu ? CHUNK : 1;
  }

  /** Tokens that a work-item of {@link #RETRACT} takes. */
  public static int tokens(boolean cpu) {
    return cpu ? TOKENS : 1;
  }

  /** Defines of kernels that take numbers as they lie. */
  public static Map<String, String> flat(boolean cpu, boolean fp64) {
    return lanes(cpu ? widest(fp64) : 1, chunk(cpu));
  }

  /** Defines of kernels that take tokens one by one. */
  public static Map<String, String> tokens(boolean cpu, boolean fp64, int d) {
    int lanes = cpu ? widest(fp64) : 1;
    while (lanes > d) {
      lanes = lanes > 8 ? 8 : 1;
    }
    return lanes(lanes, tokens(cpu));
  }

  private static int widest(boolean fp64) {
    return fp64 ? 8 : 16;
  }

  private static Map<String, String> lanes(int lanes, int chunk) {
    return Map.of("LANES", Integer.toString(lanes), "CHUNK", Integer.toString(chunk));
  }
}
