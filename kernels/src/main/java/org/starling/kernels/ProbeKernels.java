package org.starling.kernels;

import java.util.List;
import java.util.Map;

/** Kernels that compute nothing a run needs, but show what a device is worth. */
public final class ProbeKernels {
  /** An elementary function, value by value. */
  public static final KernelSource FUNCTIONS =
      KernelSource.of("functions", "real.cl", "functions.cl");

  /** The random words that noise is made of. */
  public static final KernelSource RANDOM_WORDS =
      KernelSource.of("random_words", "philox.cl", "random_words.cl");

  /** Multiply-adds in registers. */
  public static final KernelSource MULTIPLY_ADD =
      KernelSource.of("probe_multiply_add", "probe_multiply_add.cl");

  /** Exponentials in registers. */
  public static final KernelSource EXP = KernelSource.of("probe_exp", "real.cl", "probe_exp.cl");

  /** Streams through memory. */
  public static final KernelSource MEMORY = KernelSource.of("probe_memory", "probe_memory.cl");

  /** Vectors of four float32 that a unit of {@link #memory} moves. */
  public static final int MEMORY_BLOCK = 4096;

  /** All of them. */
  public static final List<KernelSource> ALL =
      List.of(FUNCTIONS, RANDOM_WORDS, MULTIPLY_ADD, EXP, MEMORY);

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

  /**
   * @param width numbers a vector: 1, 2, 4, 8 or 16
   * @param chains independent multiply-adds in flight
   * @param rounds multiply-adds of a chain in one unit
   */
  public static KernelVariant multiplyAdd(boolean fp64, int width, int chains, int rounds) {
    return MULTIPLY_ADD.with(
        Map.of(
            "DOUBLE",
            fp64 ? "1" : "0",
            "W",
            Integer.toString(width),
            "CHAINS",
            Integer.toString(chains),
            "ROUNDS",
            Integer.toString(rounds)));
  }

  /**
   * @param width numbers a vector, one of those of real.cl
   * @param own the kernels' own exponential, else the device's
   */
  public static KernelVariant exp(boolean fp64, int width, int chains, int rounds, boolean own) {
    return EXP.with(
        Map.of(
            "DOUBLE",
            fp64 ? "1" : "0",
            "VW",
            Integer.toString(width),
            "CHAINS",
            Integer.toString(chains),
            "ROUNDS",
            Integer.toString(rounds),
            "NATIVE",
            own ? "0" : "1"));
  }

  /** Ways through memory, in the order of the define OPERATION. */
  public enum Stream {
    /** z = x. */
    COPY,
    /** z = x + 3 y. */
    TRIAD,
    /** A sum of x. */
    READ
  }

  public static KernelVariant memory(Stream stream) {
    return MEMORY.with(
        Map.of(
            "BLOCK",
            Integer.toString(MEMORY_BLOCK),
            "OPERATION",
            Integer.toString(stream.ordinal())));
  }
}
