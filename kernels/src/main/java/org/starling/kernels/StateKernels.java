package org.starling.kernels;

import java.util.List;

/**
 * Kernels on states and fields. Defines: {@code PRECISION_SINGLE}, {@code PRECISION_MIXED} or {@code
 * PRECISION_DOUBLE} = 1, and {@code TERMS} for the kernels over a linear combination.
 */
public final class StateKernels {
  /** All of them. */
  public static final List<KernelSource> ALL = List.of();

  private StateKernels() {}
}
