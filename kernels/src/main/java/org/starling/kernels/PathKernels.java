package org.starling.kernels;

import java.util.List;
import java.util.Map;

/** Kernels of the theory of attention paths. */
public final class PathKernels {
  private static final KernelSource PRODUCT =
      KernelSource.of("path_product", "real.cl", "path_product.cl");
  private static final KernelSource TRANSPOSE =
      KernelSource.of("path_transpose", "real.cl", "path_transpose.cl");
  private static final KernelSource GRAM = KernelSource.of("path_gram", "real.cl", "path_gram.cl");
  private static final KernelSource FEATURES =
      KernelSource.of("path_features", "real.cl", "path_features.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(PRODUCT, TRANSPOSE, GRAM, FEATURES);

  /** Rows of a block of {@link #product}. */
  public static final int ROWS = 8;

  /** Vectors of a block's row. */
  private static final int COLUMNS = 2;

  /** Examples of a part of {@link #gram}. */
  public static final int PART = 32;

  private PathKernels() {}

  /**
   * Numbers of a vector.
   *
   * @param width numbers of the device's own vectors; 1 where neighbouring work-items take
   *     neighbouring numbers
   */
  private static Map<String, String> real(boolean fp64, int width) {
    return Map.of("DOUBLE", fp64 ? "1" : "0", "VW", Integer.toString(width));
  }

  /** Columns that matrices are padded to multiples of. */
  public static int strip(int width) {
    return COLUMNS * width;
  }

  public static KernelVariant product(boolean fp64, int width) {
    return PRODUCT.with(
        with(
            real(fp64, width),
            Map.of("ROWS", Integer.toString(ROWS), "COLUMNS", Integer.toString(COLUMNS))));
  }

  public static KernelVariant transpose(boolean fp64, int width) {
    return TRANSPOSE.with(real(fp64, width));
  }

  public static KernelVariant gram(boolean fp64, int width) {
    return GRAM.with(with(real(fp64, width), Map.of("PART", Integer.toString(PART))));
  }

  public static KernelVariant features(boolean fp64, int width, int tokens, boolean hardmax) {
    return FEATURES.with(
        with(
            real(fp64, width),
            Map.of("TOKENS", Integer.toString(tokens), "HARDMAX", hardmax ? "1" : "0")));
  }

  private static Map<String, String> with(Map<String, String> one, Map<String, String> other) {
    Map<String, String> all = new java.util.HashMap<>(one);
    all.putAll(other);
    return all;
  }
}
