package org.starling.analysis.spectrum;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.starling.core.model.Spectrum;
import org.starling.core.model.Weight;

/**
 * The spectrum of a real matrix V with multiplicities, Jordan blocks and the spaces that the papers
 * speak of. Eigenvalues of a matrix with a block of size p are known to eps^{1/p} only, so values
 * closer than {@link #SAME} times the norm count as one, at their mean, if the kernels of (V -
 * lambda)^q, judged with {@link #NULL}, have room for all of them; their dimensions give the sizes
 * of the blocks. Others stay apart.
 */
public final class ValueSpectrum {
  /** Eigenvalues closer than this, relative to |V|_F, may be one. */
  public static final double SAME = 1e-4;

  /**
   * Singular values below this, relative to |V|_F^q, are zero in ker (V - lambda)^q; real parts
   * closer than this are equal.
   */
  public static final double NULL = 1e-9;

  private static final int[] SIMPLE = {1};

  private final DMatrixRMaj v;
  private final double norm;
  private final List<Eigenvalue> values;

  private ValueSpectrum(DMatrixRMaj v, double norm, List<Eigenvalue> values) {
    this.v = v;
    this.norm = norm;
    this.values = values;
  }

  /**
   * @param w square, finite
   */
  public static ValueSpectrum of(Weight w) {
    if (w.rows() != w.columns()) {
      throw new IllegalArgumentException(
          "only a square matrix has a spectrum, not " + w.rows() + " x " + w.columns());
    }
    DMatrixRMaj v = Matrices.of(w);
    double norm = Matrices.norm(v);
    if (!Double.isFinite(norm)) {
      throw new IllegalArgumentException("the matrix has entries that are not finite");
    }
    List<Eigenvalue> values = new ArrayList<>();
    if (w instanceof Weight.Scalar s) {
      int[] ones = new int[s.d()];
      Arrays.fill(ones, 1);
      values.add(new Eigenvalue(s.c(), 0, s.d(), ones));
    } else {
      group(Spectrum.of(w), v, norm, values);
    }
    values.sort(
        Comparator.comparingDouble(Eigenvalue::re)
            .thenComparingDouble(Eigenvalue::modulus)
            .reversed());
    return new ValueSpectrum(v, norm, List.copyOf(values));
  }

  /** Joins raw eigenvalues that are one up to rounding, and finds their blocks. */
  private static void group(Spectrum raw, DMatrixRMaj v, double norm, List<Eigenvalue> values) {
    int d = raw.re().length;
    double same = SAME * norm;
    boolean[] used = new boolean[d];
    for (int i = 0; i < d; i++) {
      // A block of size p scatters its eigenvalues around the mean, off the real axis too.
      if (used[i] || raw.im()[i] < -same) {
        continue;
      }
      List<Integer> members = new ArrayList<>(List.of(i));
      used[i] = true;
      for (int m = 0; m < members.size(); m++) {
        for (int j = 0; j < d; j++) {
          int a = members.get(m);
          double gap = Math.hypot(raw.re()[a] - raw.re()[j], raw.im()[a] - raw.im()[j]);
          if (!used[j] && gap <= same) {
            used[j] = true;
            members.add(j);
          }
        }
      }
      double re = members.stream().mapToDouble(m -> raw.re()[m]).average().orElseThrow();
      double mean = members.stream().mapToDouble(m -> raw.im()[m]).average().orElseThrow();
      double im = Math.abs(mean) <= same ? 0 : mean;
      int[] blocks = members.size() == 1 ? SIMPLE : blocks(v, norm, re, im, members.size());
      if (blocks != null) {
        im = members.size() == 1 ? raw.im()[i] : im;
        if (im >= 0) {
          values.add(new Eigenvalue(re, im, members.size(), blocks));
        }
        continue;
      }
      for (int m : members) {
        if (raw.im()[m] >= 0) {
          values.add(new Eigenvalue(raw.re()[m], raw.im()[m], 1, SIMPLE));
        }
      }
    }
  }

  /** Sizes of the Jordan blocks; null where the kernels have no room for the multiplicity. */
  private static int[] blocks(DMatrixRMaj v, double norm, double re, double im, int multiplicity) {
    DMatrixRMaj m = Matrices.annihilator(v, re, im);
    int degree = im == 0 ? 1 : 2;
    DMatrixRMaj power = m;
    int[] longerThan = new int[multiplicity + 1];
    int before = 0;
    for (int q = 1; q <= multiplicity && before < multiplicity; q++) {
      int kernel = Matrices.nullity(power, NULL * Math.pow(norm, q * degree)) / degree;
      longerThan[q - 1] = Math.min(kernel, multiplicity) - before;
      if (longerThan[q - 1] <= 0) {
        return null;
      }
      before += longerThan[q - 1];
      power = Matrices.product(power, m);
    }
    int[] blocks = new int[longerThan[0]];
    for (int q = 0; q < multiplicity; q++) {
      for (int b = 0; b < longerThan[q]; b++) {
        blocks[b]++;
      }
    }
    return blocks;
  }

  /** Dimension of the matrix. */
  public int d() {
    return v.numRows;
  }

  /** Eigenvalues and pairs, by descending real part. */
  public List<Eigenvalue> values() {
    return values;
  }

  /** Eigenvalues and pairs, by descending modulus. */
  public List<Eigenvalue> byModulus() {
    return values.stream()
        .sorted(Comparator.comparingDouble(Eigenvalue::modulus).reversed())
        .toList();
  }

  /** Those with the largest real part. */
  public List<Eigenvalue> leading() {
    double top = values.get(0).re();
    return values.stream().filter(e -> top - e.re() <= NULL * norm).toList();
  }

  /**
   * lambda_max less the next largest real part: the exponential rate of Lemma 3.1 of the causal
   * paper; infinite where all eigenvalues have the same real part.
   */
  public double gap() {
    double top = values.get(0).re();
    return values.stream()
        .filter(e -> top - e.re() > NULL * norm)
        .mapToDouble(e -> top - e.re())
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Largest Jordan block among the leading eigenvalues. */
  public int leadingBlock() {
    return leading().stream().mapToInt(Eigenvalue::largestBlock).max().orElseThrow();
  }

  /** Dimension of L'(V): all generalised eigenvectors of the leading real part. */
  public int leadingDimension() {
    return leading().stream().mapToInt(Eigenvalue::dimension).sum();
  }

  /** Orthonormal rows {@code [d]} that span L'(V). */
  public double[][] leadingBasis() {
    DMatrixRMaj product = CommonOps_DDRM.identity(d());
    for (Eigenvalue e : leading()) {
      DMatrixRMaj m = Matrices.annihilator(v, e.re(), e.im());
      product = Matrices.product(product, Matrices.power(m, e.largestBlock()));
    }
    return Matrices.columns(Matrices.kernel(product, leadingDimension()));
  }

  /**
   * Orthonormal basis of L(V) (causal paper, Lemma 3.1, made precise in science/causal.md 1.2): the
   * eigenvectors that head the largest blocks of the leading eigenvalues, i.e. the range of (V -
   * lambda)^{p-1} on their generalised eigenspaces. Each is a row {@code [d]}.
   */
  public double[][] principalSpace() {
    int p = leadingBlock();
    List<double[]> rows = new ArrayList<>();
    for (Eigenvalue e : leading()) {
      int size = (int) Arrays.stream(e.blocks()).filter(b -> b == p).count();
      if (size == 0) {
        continue;
      }
      int dimension = e.real() ? size : 2 * size;
      DMatrixRMaj m = Matrices.annihilator(v, e.re(), e.im());
      DMatrixRMaj all = Matrices.kernel(Matrices.power(m, p), e.dimension());
      DMatrixRMaj heads = Matrices.product(Matrices.power(m, p - 1), all);
      rows.addAll(List.of(Matrices.columns(Matrices.range(heads, dimension))));
    }
    return orthonormal(rows);
  }

  private double[][] orthonormal(List<double[]> rows) {
    DMatrixRMaj columns = new DMatrixRMaj(d(), rows.size());
    for (int k = 0; k < rows.size(); k++) {
      for (int c = 0; c < d(); c++) {
        columns.set(c, k, rows.get(k)[c]);
      }
    }
    return Matrices.columns(Matrices.range(columns, rows.size()));
  }

  /** Unit right eigenvector of a simple real eigenvalue, {@code [d]}, largest entry positive. */
  public double[] rightEigenvector(Eigenvalue e) {
    return eigenvector(v, e);
  }

  /**
   * Unit left eigenvector phi of a simple real eigenvalue, V^T phi = lambda phi, {@code [d]},
   * largest entry positive. Level sets of phi are the hyperplanes of Theorem 4.2 of the emergence
   * paper.
   */
  public double[] leftEigenvector(Eigenvalue e) {
    return eigenvector(CommonOps_DDRM.transpose(v, null), e);
  }

  private static double[] eigenvector(DMatrixRMaj a, Eigenvalue e) {
    if (!e.simpleReal()) {
      throw new IllegalArgumentException(
          "the eigenvalue " + e + " has no single direction: it is not real and simple");
    }
    DMatrixRMaj k = Matrices.kernel(Matrices.shifted(a, e.re()), 1);
    double[] phi = k.data.clone();
    int top = 0;
    for (int c = 1; c < phi.length; c++) {
      top = Math.abs(phi[c]) > Math.abs(phi[top]) ? c : top;
    }
    if (phi[top] < 0) {
      for (int c = 0; c < phi.length; c++) {
        phi[c] = -phi[c];
      }
    }
    return phi;
  }

  /** |V V^T - V^T V|_F / |V|_F^2: 0 for a normal matrix; 0 for V = 0. */
  public double nonNormality() {
    if (norm == 0) {
      return 0;
    }
    DMatrixRMaj t = CommonOps_DDRM.transpose(v, null);
    DMatrixRMaj difference = Matrices.product(v, t);
    CommonOps_DDRM.subtractEquals(difference, Matrices.product(t, v));
    return Matrices.norm(difference) / (norm * norm);
  }

  /**
   * Where e^{tV} x / |e^{tV} x| goes: the unit vector along (V - lambda)^{p-1} P x, P the (oblique)
   * projection onto the leading generalised eigenspace along the others. The component of x that
   * counts is the one along left eigenvectors.
   *
   * @param x {@code [d]}
   * @return {@code [d]}, or null where several eigenvalues or a complex pair lead (no limit), or
   *     where x has no such component
   */
  public double[] limitDirection(double[] x) {
    Eigenvalue top = values.get(0);
    if (leading().size() != 1 || !top.real()) {
      return null;
    }
    DMatrixRMaj m = Matrices.shifted(v, top.re());
    DMatrixRMaj power = Matrices.power(m, top.largestBlock());
    DMatrixRMaj right = Matrices.kernel(power, top.dimension());
    DMatrixRMaj left = Matrices.kernel(CommonOps_DDRM.transpose(power, null), top.dimension());
    DMatrixRMaj leftT = CommonOps_DDRM.transpose(left, null);
    DMatrixRMaj inner = Matrices.product(leftT, right);
    DMatrixRMaj coordinates = Matrices.product(leftT, new DMatrixRMaj(x.length, 1, true, x));
    DMatrixRMaj solved = new DMatrixRMaj(top.dimension(), 1);
    if (!CommonOps_DDRM.solve(inner, coordinates, solved)) {
      throw new ArithmeticException("the leading eigenspace of V is not resolved in float64");
    }
    DMatrixRMaj y =
        Matrices.product(
            Matrices.power(m, top.largestBlock() - 1), Matrices.product(right, solved));
    double size = Matrices.norm(y);
    if (!(size > 0)) {
      return null;
    }
    CommonOps_DDRM.scale(1 / size, y);
    return y.data.clone();
  }
}
