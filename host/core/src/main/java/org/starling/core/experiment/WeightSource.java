package org.starling.core.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.model.Ensemble;
import org.starling.core.model.Philox.Purpose;
import org.starling.core.model.PrincipalMatrix;
import org.starling.core.model.Weight;
import org.starling.core.store.NpyArray;
import org.starling.core.store.NpyHeader;

/** Gives the matrices of Q, K or V as numbers. */
final class WeightSource {
  /** Making a matrix with a stated leading eigenspace takes d^3 operations. */
  private static final int PRINCIPAL = 2048;

  private final WeightSpec spec;
  private final Purpose purpose;
  private final long seed;
  private final int d;

  /** Matrices given entry by entry, in the experiment or in files. */
  private final Map<MatrixSpec, Weight[]> files = new HashMap<>();

  private WeightSource(WeightSpec spec, Purpose purpose, long seed, int d) {
    this.spec = spec;
    this.purpose = purpose;
    this.seed = seed;
    this.d = d;
  }

  /**
   * Reads the files that {@code spec} names and checks every shape.
   *
   * @param square true for V, whose matrices are {@code [d][d]}; Q and K may be {@code [m][d]}
   */
  static WeightSource load(
      WeightSpec spec,
      Purpose purpose,
      long seed,
      int d,
      int heads,
      boolean square,
      String path,
      ExperimentFile file,
      InputLoader loader,
      Problems problems) {
    WeightSource source = new WeightSource(spec, purpose, seed, d);
    for (int l = 0; l < spec.layers().size(); l++) {
      for (int h = 0; h < spec.layers().get(l).size(); h++) {
        MatrixSpec matrix = spec.layers().get(l).get(h);
        Position at = file.where(itemPath(spec, path, l, h));
        if (matrix instanceof MatrixSpec.Random && (long) d * d > Integer.MAX_VALUE - 16) {
          problems.add(at, path + ": a random matrix of d = " + d + " is too large; d <= 46340");
        } else if (matrix instanceof MatrixSpec.Principal p
            && (p.multiplicity() > d || d > PRINCIPAL)) {
          problems.add(
              at,
              path
                  + ": principal has multiplicity "
                  + p.multiplicity()
                  + " in d = "
                  + d
                  + "; it takes a multiplicity of at most d, and d of at most "
                  + PRINCIPAL);
        } else if (matrix instanceof MatrixSpec.Diagonal diagonal
            && diagonal.entries().size() != d) {
          problems.add(
              at,
              path
                  + ": diag has "
                  + diagonal.entries().size()
                  + " entries, but tokens have d = "
                  + d);
        } else if (matrix instanceof MatrixSpec.Rows rows) {
          source.files.put(
              matrix, new Weight[] {written(rows.entries(), d, square, path, at, problems)});
        } else if (matrix instanceof MatrixSpec.Npy npy) {
          NpyArray array = loader.npy(npy.file(), at);
          boolean all = spec.layers().get(l).size() == 1;
          if (array != null) {
            source.files.put(
                matrix, npyMatrices(array, npy, all, heads, d, square, path, at, problems));
          }
        } else if (matrix instanceof MatrixSpec.SafeTensor tensor) {
          byte[] bytes = loader.bytes(tensor.file(), at);
          if (bytes != null) {
            source.files.put(matrix, tensorMatrix(bytes, tensor, d, square, path, at, problems));
          }
        }
      }
    }
    return source;
  }

  /** The key path that the reader recorded for an item. */
  private static String itemPath(WeightSpec spec, String path, int layer, int head) {
    String list =
        spec.perLayer()
            ? path + ".per_layer"
            : spec.layers().size() > 1 ? path + ".layers[" + layer + "]" : path;
    return spec.layers().get(layer).size() > 1 ? list + "[" + head + "]" : list;
  }

  private static Weight written(
      List<List<Double>> rows, int d, boolean square, String path, Position at, Problems problems) {
    int columns = rows.get(0).size();
    if (columns != d || (square && rows.size() != d)) {
      problems.add(
          at,
          path
              + ": rows has shape "
              + NpyHeader.text(rows.size(), columns)
              + ", the experiment needs "
              + (square ? "[" + d + "]" : "[m]")
              + "["
              + d
              + "]");
      return Weight.identity(d);
    }
    double[] entries =
        rows.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray();
    return new Weight.Dense(rows.size(), d, entries);
  }

  private static Weight[] npyMatrices(
      NpyArray array,
      MatrixSpec.Npy npy,
      boolean forAllHeads,
      int heads,
      int d,
      boolean square,
      String path,
      Position at,
      Problems problems) {
    int[] shape = array.shape();
    int rank = shape.length;
    boolean stacked = rank == 3 && forAllHeads && shape[0] == heads;
    boolean fits =
        (rank == 2 || stacked)
            && shape[rank - 1] == d
            && shape[rank - 2] >= 1
            && (!square || shape[rank - 2] == d);
    if (!fits) {
      String needed = (square ? "[" + d + "]" : "[m]") + "[" + d + "]";
      problems.add(
          at,
          path
              + ": "
              + npy.file().path()
              + " has shape "
              + NpyHeader.text(shape)
              + ", the experiment needs "
              + needed
              + (forAllHeads
                  ? " or, for "
                      + heads
                      + (heads == 1 ? " head, [" : " heads, [")
                      + heads
                      + "]"
                      + needed
                  : ""));
      return new Weight[] {Weight.identity(d)};
    }
    double[] entries = array.doubles();
    int rows = shape[rank - 2];
    Weight[] matrices = new Weight[stacked ? heads : 1];
    for (int h = 0; h < matrices.length; h++) {
      double[] one = new double[rows * d];
      System.arraycopy(entries, h * rows * d, one, 0, one.length);
      matrices[h] = new Weight.Dense(rows, d, one);
    }
    return matrices;
  }

  private static Weight[] tensorMatrix(
      byte[] bytes,
      MatrixSpec.SafeTensor tensor,
      int d,
      boolean square,
      String path,
      Position at,
      Problems problems) {
    try {
      SafeTensors.Matrix m = SafeTensors.read(bytes, tensor.tensor());
      if (m.columns() == d && (!square || m.rows() == d)) {
        return new Weight[] {new Weight.Dense(m.rows(), d, m.entries())};
      }
      problems.add(
          at,
          path
              + ": tensor "
              + tensor.tensor()
              + " has shape "
              + NpyHeader.text(m.rows(), m.columns())
              + ", the experiment needs "
              + (square ? "[" + d + "]" : "[m]")
              + "["
              + d
              + "]");
    } catch (IllegalArgumentException e) {
      problems.add(at, "cannot read " + tensor.file().path() + ": " + e.getMessage());
    }
    return new Weight[] {Weight.identity(d)};
  }

  /** Layers that are listed, or one for what all layers share. */
  int layers() {
    return spec.layers().size();
  }

  /** Whether layers differ. */
  boolean varies() {
    return spec.varies();
  }

  /** The matrix of a head in a layer. */
  Weight matrix(int layer, int head) {
    MatrixSpec matrix = spec.matrix(layer, head);
    if (matrix instanceof MatrixSpec.Identity) {
      return Weight.identity(d);
    }
    if (matrix instanceof MatrixSpec.Scale s) {
      return Weight.scalar(d, s.c());
    }
    if (matrix instanceof MatrixSpec.Diagonal g) {
      return Weight.diagonal(g.entries().stream().mapToDouble(Double::doubleValue).toArray());
    }
    if (matrix instanceof MatrixSpec.Random r) {
      double std = r.std() == null ? Ensemble.defaultDeviation(d) : r.std();
      return r.ensemble()
          .draw(
              d,
              std,
              r.seed() == null ? seed : r.seed(),
              r.seed() == null ? purpose : Purpose.MATRIX,
              head,
              // What all layers share is the draw of layer 0.
              spec.varies() ? layer : 0)
          .scaled(r.scale());
    }
    if (matrix instanceof MatrixSpec.Principal p) {
      return PrincipalMatrix.draw(
          d,
          p.multiplicity(),
          p.value(),
          p.rest(),
          p.seed() == null ? seed : p.seed(),
          p.seed() == null ? purpose : Purpose.MATRIX,
          head,
          spec.varies() ? layer : 0);
    }
    Weight[] read = files.get(matrix);
    return read[read.length == 1 ? 0 : head];
  }

  /** Rows of the matrix of a head in a layer, without making it. */
  int rows(int layer, int head) {
    Weight[] read = files.get(spec.matrix(layer, head));
    return read == null ? d : read[read.length == 1 ? 0 : head].rows();
  }
}
