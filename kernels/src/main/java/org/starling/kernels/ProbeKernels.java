package org.starling.kernels;

import java.util.List;
import java.util.Map;

/** Kernels that compute nothing a run needs, but show what a device is worth. */
public final class ProbeKernels {
  /** An elementary function, value by value. */
  public static final KernelSource FUNCTIONS =
      KernelSource.of("functions", "real.cl", "functions.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(FUNCTIONS);

  private ProbeKernels() {}

  /** Functions that kernels call, in the order of the define FUNCTION. */
  public enum Function {
    /** 2^x for x &lt;= 0, the kernels' own. */
    EXP2_SMALL,
    /** The device's 2^x. */
    EXP2,
    /** The device's square root. */
    SQRT,
    /** The device's division. */
    RECIPROCAL
  }

  /** Numbers a work-item takes. */
  public static int width(boolean fp64) {
    return AttentionKernels.vectorWidth(fp64);
  }

  public static KernelVariant functions(boolean fp64, Function function) {
    String which =
        switch (function) {
          case EXP2_SMALL -> "0";
          case EXP2 -> "1";
          case SQRT -> "2";
          case RECIPROCAL -> "3";
        };
    return FUNCTIONS.with(
        Map.of("DOUBLE", fp64 ? "1" : "0", "VW", Integer.toString(width(fp64)), "FUNCTION", which));
  }
}
