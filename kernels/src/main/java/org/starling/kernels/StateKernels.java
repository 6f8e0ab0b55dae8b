package org.starling.kernels;

import java.util.List;
import java.util.Map;

/**
 * Kernels on states and fields. Each is built with one of {@link #SINGLE}, {@link #MIXED} and
 * {@link #DOUBLE}; {@link #SPREAD} also needs {@code FROM_FIRST} = 0 (norms) or 1 (distances to the
 * first token).
 */
public final class StateKernels {
  public static final Map<String, String> SINGLE = Map.of("PRECISION_SINGLE", "1");
  public static final Map<String, String> MIXED = Map.of("PRECISION_MIXED", "1");
  public static final Map<String, String> DOUBLE = Map.of("PRECISION_DOUBLE", "1");

  /** Tokens reduced by one work-item of the observers, TOKENS_PER_ITEM in precision.cl. */
  public static final int TOKENS_PER_ITEM = 16;

  /** The same for {@link #ERROR_NORM} and {@link #LARGEST}, which every step waits for. */
  public static final int TOKENS_PER_STEP_ITEM = 4;

  /** Tokens a part of {@link #COORDINATE_SUMS} covers. */
  public static final int TOKENS_PER_SUM = 1024;

  /** Most fields of one linear combination. */
  public static final int MOST_TERMS = 8;

  public static final KernelSource COMBINE =
      KernelSource.of("combine", "precision.cl", "terms.cl", "combine.cl");
  public static final KernelSource RETRACT =
      KernelSource.of("retract", "precision.cl", "retract.cl");
  public static final KernelSource ERROR_NORM =
      KernelSource.of("error_norm", "precision.cl", "terms.cl", "error_norm.cl");
  public static final KernelSource LARGEST =
      KernelSource.of("largest", "precision.cl", "largest.cl");
  public static final KernelSource SPREAD = KernelSource.of("spread", "precision.cl", "spread.cl");
  public static final KernelSource NON_FINITE =
      KernelSource.of("non_finite", "precision.cl", "non_finite.cl");
  public static final KernelSource COORDINATE_SUMS =
      KernelSource.of("coordinate_sums", "precision.cl", "coordinate_sums.cl");
  public static final KernelSource SECOND_MOMENT =
      KernelSource.of("second_moment", "precision.cl", "second_moment.cl");

  /** All of them. */
  public static final List<KernelSource> ALL =
      List.of(
          COMBINE,
          RETRACT,
          ERROR_NORM,
          LARGEST,
          SPREAD,
          NON_FINITE,
          COORDINATE_SUMS,
          SECOND_MOMENT);

  private StateKernels() {}
}
