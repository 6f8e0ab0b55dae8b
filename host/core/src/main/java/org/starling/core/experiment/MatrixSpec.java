package org.starling.core.experiment;

import java.util.List;
import org.starling.core.model.Ensemble;

/** How one matrix of one head is given. */
public sealed interface MatrixSpec {
  /** The identity. */
  record Identity() implements MatrixSpec {}

  /** c times the identity. */
  record Scale(double c) implements MatrixSpec {}

  /** A diagonal matrix of d entries. */
  record Diagonal(List<Double> entries) implements MatrixSpec {
    public Diagonal {
      entries = List.copyOf(entries);
    }
  }

  /** The entries, {@code [m][d]}, written out row by row. */
  record Rows(List<List<Double>> entries) implements MatrixSpec {
    public Rows {
      entries = entries.stream().map(List::copyOf).toList();
    }
  }

  /**
   * A draw from an ensemble, multiplied by {@code scale}.
   *
   * @param seed null for a draw from the experiment's seed, independent for Q, K and V; with a seed
   *     of its own the matrix depends on that seed, the head and the layer only, so that Q and V
   *     with the same seed are the same matrix
   * @param std deviation of Gaussian entries, null for 1/sqrt(d); null for the other ensembles
   */
  record Random(Ensemble ensemble, Long seed, Double std, double scale) implements MatrixSpec {}

  /**
   * A random matrix that is {@code value} times the identity on a random space of dimension {@code
   * multiplicity}, with the largest &lt;Vz, z&gt;/|z|^2 on the orthogonal complement given.
   *
   * @param seed as for {@link Random}
   */
  record Principal(int multiplicity, double value, double rest, Long seed) implements MatrixSpec {}

  /** A .npy array {@code [m][d]}, or {@code [heads][m][d]} for all heads at once. */
  record Npy(InputFile file) implements MatrixSpec {}

  /** A two-dimensional tensor {@code [m][d]} of a safetensors file. */
  record SafeTensor(InputFile file, String tensor) implements MatrixSpec {}
}
