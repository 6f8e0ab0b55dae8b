package org.starling.paths.theory;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * How a kernel meets the task.
 *
 * @param eigenvalues of K on the training examples, without T, decreasing
 * @param overlaps |u_k . Y| / sqrt(P) of their eigenvectors
 * @param cosine Y^T K Y / (P |K|_F)
 */
public record Alignment(double[] eigenvalues, double[] overlaps, double cosine) {
  /** Of the kernel of U_1 on the training examples. */
  public static Alignment of(Action action, double[] u) {
    double[] labels = action.labels();
    int count = labels.length;
    double[] k = new double[count * count];
    action.kernels().kernel(u, k);
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(count, true, true);
    if (!eigen.decompose(new DMatrixRMaj(count, count, true, k.clone()))) {
      throw new ArithmeticException("the eigenvalues of the kernel were not found");
    }
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -eigen.getEigenvalue(i).real))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] values = new double[count];
    double[] overlaps = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = eigen.getEigenvalue(order[i]).real;
      DMatrixRMaj v = eigen.getEigenVector(order[i]);
      overlaps[i] = Math.abs(Small.inner(v.data, labels)) / Math.sqrt(count);
    }
    double quadratic = 0;
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) {
        quadratic += labels[a] * k[a * count + b] * labels[b];
      }
    }
    return new Alignment(values, overlaps, quadratic / (count * Math.sqrt(Small.inner(k, k))));
  }
}
