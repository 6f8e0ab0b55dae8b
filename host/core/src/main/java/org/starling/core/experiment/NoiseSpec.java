package org.starling.core.experiment;

/** The key {@code model.noise}: how strong it is, in the words of the geometry's field. */
public sealed interface NoiseSpec {
  /** Amplitude of dW, &gt;= 0. */
  double amplitude();

  /**
   * Inverse temperature of the noise on the sphere: sqrt(2 / kappa) P_x dW.
   *
   * @param kappa finite and &gt; 0
   */
  record Kappa(double kappa) implements NoiseSpec {
    @Override
    public double amplitude() {
      return Math.sqrt(2 / kappa);
    }
  }

  /**
   * Deviation of the noise in R^d after one unit of time: sigma dW.
   *
   * @param sigma finite and &gt;= 0
   */
  record Sigma(double sigma) implements NoiseSpec {
    @Override
    public double amplitude() {
      return sigma;
    }
  }
}
