package org.starling.paths.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.paths.PathFeatures;

/** The action, its derivatives and exact facts about its minimum. */
class ActionTest {
  private static final PathNetwork THREE_LAYERS =
      new PathNetwork(
          List.of(2, 3, 2), List.of(20, 31, 14), 25, 1, List.of(0.7, 1.4, 1.1), 1.3, 0.2);

  private static Action action(PathNetwork network, long seed, long budget) {
    int count = 12;
    return new Action(
        network,
        Problem.kernels(count, network.paths(), 7, seed, budget),
        Problem.signs(count, seed + 1));
  }

  private static Fit fit(Action action) {
    Fit fit = new Fitter(1, 1000, 1).fit(action, null);
    assertTrue(fit.converged(), () -> "gradient " + fit.gradient());
    return fit;
  }

  @ParameterizedTest(name = "bytes for kernels {0}, seed 3")
  @ValueSource(longs = {0, 1L << 30})
  void derivativesAreDifferences(long budget) {
    Action action = action(THREE_LAYERS, 3, budget);
    assertEquals(
        budget == 0 ? PathKernels.Plan.PRODUCTS : PathKernels.Plan.KEPT, action.kernels().plan());
    List<double[]> u = Problem.point(THREE_LAYERS, 11);
    Action.Value value = action.at(u);
    for (int l = 0; l < 3; l++) {
      int n = THREE_LAYERS.pathsFrom(l);
      double[] direction = Problem.gaussian(n * n, 50 + l);
      double slope = 0;
      double size = 0;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          direction[i * n + j] = j < i ? direction[j * n + i] : direction[i * n + j];
          double term = value.gradient().get(l)[i * n + j] * direction[i * n + j];
          slope += term;
          size += Math.abs(term);
        }
      }
      double h = 1e-5;
      double difference =
          (action.at(moved(u, l, direction, h)).action()
                  - action.at(moved(u, l, direction, -h)).action())
              / (2 * h);
      assertEquals(slope, difference, 1e-7 * size, "layer " + (l + 1));
    }
  }

  private static List<double[]> moved(List<double[]> u, int l, double[] direction, double h) {
    List<double[]> moved = new ArrayList<>(u);
    double[] v = u.get(l).clone();
    for (int k = 0; k < v.length; k++) {
      v[k] += h * direction[k];
    }
    moved.set(l, v);
    return moved;
  }

  @Test
  void coordinatesHaveTheirDerivatives() {
    Action action = action(THREE_LAYERS, 4, Problem.KEEP);
    double[] x = action.coordinates(Problem.point(THREE_LAYERS, 12));
    double[] g = new double[x.length];
    action.objective(x, g);
    double[] unused = new double[x.length];
    for (int k = 0; k < x.length; k += 7) {
      double[] there = x.clone();
      double[] back = x.clone();
      there[k] += 1e-5;
      back[k] -= 1e-5;
      double difference = (action.objective(there, unused) - action.objective(back, unused)) / 2e-5;
      assertEquals(g[k], difference, 1e-7 * Lbfgs.largest(g), "coordinate " + k);
    }
  }

  @Test
  void readoutIsTheLeastPoint() {
    PathNetwork network = THREE_LAYERS;
    double[] last = {1.2, 0.3, 0.3, 0.8};
    double best = OrderParameters.eliminated(network, last);
    double at = part(network, last, best);
    for (double factor : new double[] {0.999, 0.9999, 1.0001, 1.001}) {
      assertTrue(part(network, last, factor * best) > at, "factor " + factor);
    }
  }

  private static double part(PathNetwork network, double[] last, double readout) {
    return network.readoutWidth() * (readout / network.readoutVariance() - Math.log(readout))
        + network.widths().get(2)
            * (Small.trace(last, 2) / (readout * network.variances().get(2))
                + 2 * Math.log(readout));
  }

  @ParameterizedTest(name = "{0} layers, N = {1}, seed 21")
  @CsvSource({"1, 30", "2, 100", "3, 1000", "3, 30"})
  void oneHeadInALayerIsADeepLinearNetwork(int layers, int width) {
    PathNetwork network = PathNetwork.plain(java.util.Collections.nCopies(layers, 1), width, 0);
    int count = 20;
    PathFeatures features = Problem.features(count, 1, 40, 21);
    PathKernels kernels = new PathKernels(Problem.OPERATIONS, features, Problem.KEEP);
    double[] labels = Problem.signs(count, 22);
    Fit fit = fit(new Action(network, kernels, labels));
    double[] k = new double[count * count];
    kernels.kernel(new double[] {1}, k);
    double r = Small.inner(labels, Evidence.of(k, 0, labels).residual()) / count;
    double alpha = (double) count / width;
    double low = 0;
    double high = 100;
    for (int step = 0; step < 200; step++) {
      double s = (low + high) / 2;
      double v = Math.pow(s, layers + 2) - (1 - alpha) * Math.pow(s, layers + 1) - alpha * r;
      low = v < 0 ? s : low;
      high = v < 0 ? high : s;
    }
    assertEquals(Math.pow(low, layers + 1), fit.parameters().first()[0], 1e-6);
    assertEquals(low, fit.parameters().readout(), 1e-6);
  }

  @ParameterizedTest(name = "N = {0}")
  @CsvSource({"10, 1.070495, 0.888061", "40, 1.022217, 0.973848", "400, 1.002414, 0.997476"})
  void alignedPathGrows(int width, double aligned, double orthogonal) {
    int count = 40;
    double[] values = new double[count * 2 * 2];
    double[] labels = new double[count];
    for (int a = 0; a < count; a++) {
      labels[a] = a % 2 == 0 ? 1 : -1;
      double z = a % 4 < 2 ? 1 : -1;
      // C_11 = Y Y^T, C_22 = Z Z^T, no cross kernel; features carry 1/sqrt(n).
      values[(a * 2) * 2] = labels[a] / Math.sqrt(2);
      values[(a * 2 + 1) * 2 + 1] = z / Math.sqrt(2);
    }
    PathKernels kernels =
        new PathKernels(
            Problem.OPERATIONS, Problem.OPERATIONS.upload(count, 2, 2, values), Problem.KEEP);
    Fit fit = fit(new Action(PathNetwork.plain(List.of(2), width, 0.1), kernels, labels));
    double[] u = fit.parameters().first();
    assertEquals(aligned, u[0], 1e-5);
    assertEquals(orthogonal, u[3], 1e-5);
    assertEquals(0, u[1], 1e-7);
  }

  @Test
  void onlyTheProductOfVariancesMatters() {
    PathNetwork plain =
        new PathNetwork(List.of(2, 2), List.of(20, 30), 25, 1, List.of(1.0, 1.0), 1, 0.1);
    PathNetwork other =
        new PathNetwork(List.of(2, 2), List.of(20, 30), 25, 1, List.of(0.5, 4.0), 0.5, 0.1);
    Fit a = fit(action(plain, 5, Problem.KEEP));
    Fit b = fit(action(other, 5, Problem.KEEP));
    for (int k = 0; k < 16; k++) {
      assertEquals(a.parameters().first()[k], b.parameters().first()[k], 1e-6);
    }
    // U_2 is scaled by c_2 = 4 x 0.5, U_a by c_a = 0.5.
    double c2 = 2;
    double ca = 0.5;
    double shift = -25 * Math.log(ca) + 20 * 4 * Math.log(c2) + 30 * 2 * (Math.log(ca / c2));
    assertEquals(shift, b.action() - a.action(), 1e-8);
  }

  @Test
  void headsMayBeExchanged() {
    PathNetwork network = PathNetwork.plain(List.of(2, 3), 15, 0.1);
    double[] values = Problem.gaussian(12 * 6 * 7, 31);
    double[] swapped = values.clone();
    for (int a = 0; a < 12; a++) {
      System.arraycopy(values, a * 42, swapped, a * 42 + 21, 21);
      System.arraycopy(values, a * 42 + 21, swapped, a * 42, 21);
    }
    Fit one = fit(of(network, values));
    Fit two = fit(of(network, swapped));
    assertEquals(one.action(), two.action(), 1e-7);
    double[] u = one.parameters().first();
    double[] v = two.parameters().first();
    for (int p = 0; p < 6; p++) {
      for (int q = 0; q < 6; q++) {
        assertEquals(u[p * 6 + q], v[(p + 3) % 6 * 6 + (q + 3) % 6], 1e-6);
      }
    }
  }

  private static Action of(PathNetwork network, double[] values) {
    PathFeatures f = Problem.OPERATIONS.upload(12, 6, 7, values);
    return new Action(
        network, new PathKernels(Problem.OPERATIONS, f, Problem.KEEP), Problem.signs(12, 9));
  }

  @Test
  void withoutDataOrInGreatHeatNothingIsLearned() {
    PathNetwork network = PathNetwork.plain(List.of(2, 2), 10, 0.01);
    PathKernels none = Problem.kernels(0, 4, 7, 1, Problem.KEEP);
    Fit without = fit(new Action(network, none, new double[0]));
    Fit hot = fit(action(network.withTemperature(1e9), 6, Problem.KEEP));
    for (int k = 0; k < 16; k++) {
      double limit = k % 5 == 0 ? 1 : 0;
      assertEquals(limit, without.parameters().first()[k], 1e-12);
      assertEquals(limit, hot.parameters().first()[k], 1e-7);
    }
  }

  @Test
  void fluxIsTheSameForUnequalLayers() {
    Action action = action(THREE_LAYERS, 7, Problem.KEEP);
    Fit fit = fit(action);
    double[] flux = Flux.of(action, fit.parameters());
    for (double f : flux) {
      assertEquals(flux[0], f, 1e-5 * Math.abs(flux[0]));
    }
    assertTrue(fit.curvature() > 0);
    Action.Value limit = action.at(OrderParameters.limit(THREE_LAYERS).u());
    assertTrue(fit.energy() <= limit.energy());
    assertTrue(fit.action() <= limit.action());
  }

  @Test
  void kernelIsLinearSymmetricAndPositive() {
    PathKernels kernels = Problem.kernels(9, 4, 5, 41, Problem.KEEP);
    double[] u = Problem.point(PathNetwork.plain(List.of(2, 2), 1, 0), 42).get(0);
    double[] k = new double[81];
    double[] twice = new double[81];
    kernels.kernel(u, k);
    double[] sum = new double[16];
    for (int i = 0; i < 16; i++) {
      sum[i] = 2 * u[i] + (i % 5 == 0 ? 1 : 0);
    }
    kernels.kernel(sum, twice);
    double[] identity = new double[81];
    kernels.kernel(Small.identity(4, 1), identity);
    for (int a = 0; a < 9; a++) {
      for (int b = 0; b < 9; b++) {
        assertEquals(k[a * 9 + b], k[b * 9 + a], 0);
        assertEquals(2 * k[a * 9 + b] + identity[a * 9 + b], twice[a * 9 + b], 1e-12);
      }
    }
    double[] shifted = k.clone();
    for (int a = 0; a < 9; a++) {
      shifted[a * 10] += 1e-10;
    }
    assertTrue(Small.cholesky(shifted, 9) != null, "K(U) is not positive semidefinite");
  }
}
