package org.starling.paths.theory;

import java.util.ArrayList;
import java.util.List;

/**
 * The action F = S + E over the order parameters, with U_a eliminated; exp(-F/2) is the posterior's
 * weight at large widths. Coordinates are the lower triangular roots R_l of U_l, row by row, the
 * logarithm of an entry on the diagonal, so that every point is positive definite.
 */
public final class Action {
  private final PathNetwork network;
  private final PathKernels kernels;
  private final double[] labels;
  private final double[] kernel;

  /**
   * @param labels of the training examples
   */
  public Action(PathNetwork network, PathKernels kernels, double[] labels) {
    if (kernels.count() != labels.length || kernels.paths() != network.paths()) {
      throw new IllegalArgumentException(
          kernels.count() + " examples and " + kernels.paths() + " paths");
    }
    this.network = network;
    this.kernels = kernels;
    this.labels = labels;
    kernel = new double[Math.multiplyExact(labels.length, labels.length)];
  }

  /**
   * Value and derivatives at a point.
   *
   * @param energy E
   * @param entropy S
   * @param readout U_a
   * @param gradient dF/dU_l of every layer, symmetric
   */
  public record Value(double energy, double entropy, double readout, List<double[]> gradient) {
    public double action() {
      return energy + entropy;
    }
  }

  public PathNetwork network() {
    return network;
  }

  public PathKernels kernels() {
    return kernels;
  }

  public double[] labels() {
    return labels;
  }

  int dimension() {
    int sum = 0;
    for (int l = 0; l < network.depth(); l++) {
      int n = network.pathsFrom(l);
      sum += n * (n + 1) / 2;
    }
    return sum;
  }

  /**
   * The action at positive definite U_l.
   *
   * @throws IllegalArgumentException if one is not positive definite
   */
  public Value at(List<double[]> u) {
    List<double[]> roots = new ArrayList<>();
    for (int l = 0; l < u.size(); l++) {
      double[] r = Small.cholesky(u.get(l), network.pathsFrom(l));
      if (r == null) {
        throw new IllegalArgumentException("U_" + (l + 1) + " is not positive definite");
      }
      roots.add(r);
    }
    return ofRoots(roots);
  }

  /** Null where Gamma is not positive definite in float64. */
  Value ofRoots(List<double[]> roots) {
    int depth = network.depth();
    List<double[]> u = new ArrayList<>();
    for (int l = 0; l < depth; l++) {
      u.add(Small.gram(roots.get(l), network.pathsFrom(l)));
    }
    double readout = OrderParameters.eliminated(network, u.get(depth - 1));
    kernels.kernel(u.get(0), kernel);
    Evidence evidence = Evidence.of(kernel, network.temperature(), labels);
    if (evidence == null) {
      return null;
    }
    List<double[]> gradient = new ArrayList<>();
    double[] first = kernels.contract(evidence.derivative());
    for (int l = 0; l < depth; l++) {
      gradient.add(l == 0 ? first : new double[u.get(l).length]);
    }
    double entropy =
        network.readoutWidth() * (readout / network.readoutVariance() - Math.log(readout));
    for (int l = 0; l < depth; l++) {
      entropy += layer(l, u, roots, readout, gradient);
    }
    return new Value(evidence.energy(), entropy, readout, gradient);
  }

  /** One layer's term of S; adds its derivatives by U_l and U_{l+1}. */
  private double layer(
      int l, List<double[]> u, List<double[]> roots, double readout, List<double[]> gradient) {
    int n = network.pathsFrom(l);
    int heads = network.heads().get(l);
    int m = n / heads;
    double width = network.widths().get(l);
    double s = network.variances().get(l);
    boolean last = l == network.depth() - 1;
    double[] above = last ? new double[] {1 / readout} : Small.inverse(roots.get(l + 1), m);
    double aboveLogDet = last ? Math.log(readout) : logDet(roots.get(l + 1), m);
    double[] hat = Small.partialTrace(u.get(l), heads, m);
    double[] own = Small.inverse(roots.get(l), n);
    double[] g = gradient.get(l);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double prior = i / m == j / m ? above[i % m * m + j % m] / s : 0;
        g[i * n + j] += width * (prior - own[i * n + j]);
      }
    }
    if (!last) {
      double[] inner = Small.product(Small.product(above, hat, m), above, m);
      double[] next = gradient.get(l + 1);
      for (int k = 0; k < m * m; k++) {
        next[k] += width * (heads * above[k] - inner[k] / s);
      }
    }
    return width * (Small.inner(above, hat) / s - logDet(roots.get(l), n) + heads * aboveLogDet);
  }

  private static double logDet(double[] root, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += 2 * Math.log(root[k * n + k]);
    }
    return sum;
  }

  /** Coordinates of a point. */
  double[] coordinates(List<double[]> u) {
    double[] theta = new double[dimension()];
    int at = 0;
    for (int l = 0; l < u.size(); l++) {
      int n = network.pathsFrom(l);
      double[] r = Small.cholesky(u.get(l), n);
      if (r == null) {
        throw new IllegalArgumentException("U_" + (l + 1) + " is not positive definite");
      }
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          theta[at++] = i == j ? Math.log(r[i * n + i]) : r[i * n + j];
        }
      }
    }
    return theta;
  }

  List<double[]> roots(double[] theta) {
    List<double[]> roots = new ArrayList<>();
    int at = 0;
    for (int l = 0; l < network.depth(); l++) {
      int n = network.pathsFrom(l);
      double[] r = new double[n * n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          r[i * n + j] = i == j ? Math.exp(theta[at]) : theta[at];
          at++;
        }
      }
      roots.add(r);
    }
    return roots;
  }

  OrderParameters point(double[] theta) {
    List<double[]> u = new ArrayList<>();
    List<double[]> roots = roots(theta);
    for (int l = 0; l < roots.size(); l++) {
      u.add(Small.gram(roots.get(l), network.pathsFrom(l)));
    }
    return new OrderParameters(u, OrderParameters.eliminated(network, u.get(u.size() - 1)));
  }

  /**
   * F divided by the largest width, and its derivative by the coordinates.
   *
   * @return infinite where Gamma is not positive definite
   */
  double objective(double[] theta, double[] gradient) {
    List<double[]> roots = roots(theta);
    Value value = ofRoots(roots);
    if (value == null) {
      return Double.POSITIVE_INFINITY;
    }
    double scale = network.largestWidth();
    int at = 0;
    for (int l = 0; l < roots.size(); l++) {
      int n = network.pathsFrom(l);
      double[] r = roots.get(l);
      double[] g = value.gradient().get(l);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = 0;
          for (int k = j; k < n; k++) {
            sum += g[i * n + k] * r[k * n + j];
          }
          gradient[at++] = 2 * sum * (i == j ? r[i * n + i] : 1) / scale;
        }
      }
    }
    return value.action() / scale;
  }
}
