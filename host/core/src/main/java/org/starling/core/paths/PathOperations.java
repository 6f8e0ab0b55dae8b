package org.starling.core.paths;

import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;

/**
 * What the theory of attention paths asks of a device: inputs to attentioned inputs, and the
 * products of these with themselves. Arrays of the caller are float64 whatever the device computes
 * in. Calls come from one thread.
 */
public interface PathOperations extends AutoCloseable {
  EngineIdentity identity();

  /** Working precision, SINGLE or DOUBLE. */
  Precision precision();

  /**
   * Attentioned inputs of every path: {@code scale * sum_s x_s v_s} with v = A^{1,h1} ... A^{L-1,h}
   * a^{L,h}, where A has the key first and its columns sum to 1.
   */
  PathFeatures features(PathAttention attention, Sequences inputs, double scale);

  /** Puts attentioned inputs {@code [count][paths][width]} on the device. */
  PathFeatures upload(int count, int paths, int width, double[] values);

  /** The values, {@code [count][paths][width]}. */
  double[] download(PathFeatures features);

  /**
   * Kernel of one pair of paths: {@code out[a][b] = <rows[a][p], columns[b][q]>}.
   *
   * @param out {@code [rows.count][columns.count]}
   */
  void pathKernel(PathFeatures rows, PathFeatures columns, int p, int q, double[] out);

  /**
   * Kernel of all paths: {@code out[a][b] = sum_pq U[p][q] <rows[a][p], columns[b][q]>}.
   *
   * @param u symmetric, {@code [paths][paths]}
   * @param out {@code [rows.count][columns.count]}; exactly symmetric where rows are columns
   */
  void kernel(PathFeatures rows, PathFeatures columns, double[] u, double[] out);

  /**
   * The kernel's derivative against a matrix: {@code out[p][q] = sum_ab M[a][b] <f[a][p],
   * f[b][q]>}.
   *
   * @param m symmetric, {@code [count][count]}
   * @param out {@code [paths][paths]}, symmetric
   */
  void contract(PathFeatures features, double[] m, double[] out);

  @Override
  void close();
}
