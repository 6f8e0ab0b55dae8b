package org.starling.paths.theory;

/** A number that at the least action is the same in every layer (science/paths.md 1.12). */
public final class Flux {
  private Flux() {}

  /** Of the readout, of layers 1 .. L, and of the data. */
  public static double[] of(Action action, OrderParameters point) {
    PathNetwork network = action.network();
    int depth = network.depth();
    double[] flux = new double[depth + 2];
    flux[0] = network.readoutWidth() * (point.readout() / network.readoutVariance() - 1);
    for (int l = 0; l < depth; l++) {
      int n = network.pathsFrom(l);
      int heads = network.heads().get(l);
      int m = n / heads;
      double[] above =
          l == depth - 1
              ? new double[] {1 / point.readout()}
              : Small.inverse(Small.cholesky(point.u().get(l + 1), m), m);
      double[] hat = Small.partialTrace(point.u().get(l), heads, m);
      flux[l + 1] =
          network.widths().get(l) * (Small.inner(above, hat) / network.variances().get(l) - n);
    }
    int count = action.labels().length;
    double[] k = new double[count * count];
    action.kernels().kernel(point.first(), k);
    Evidence evidence = Evidence.of(k, network.temperature(), action.labels());
    // -sum M K = r^T K r - tr Gamma^{-1} K.
    flux[depth + 1] = count == 0 ? 0 : -Small.inner(evidence.derivative(), k);
    return flux;
  }
}
