package org.starling.core.experiment;

import java.util.List;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Dynamics;
import org.starling.core.store.Sha256;

/** An experiment with every default and input in place: what a run is made of. */
public final class ResolvedExperiment {
  private final Experiment experiment;
  private final Shape shape;
  private final Dynamics dynamics;
  private final double[] given;

  /**
   * @param given positions read from a file, {@code [n][d]} or {@code [R][n][d]}; null for drawn
   *     ones
   */
  ResolvedExperiment(Experiment experiment, Shape shape, Dynamics dynamics, double[] given) {
    this.experiment = experiment;
    this.shape = shape;
    this.dynamics = dynamics;
    this.given = given;
  }

  /** The experiment with n, d, replicas, deviations and file digests filled in. */
  public Experiment experiment() {
    return experiment;
  }

  public Shape shape() {
    return shape;
  }

  /** The dynamics, the same in every replica. */
  public Dynamics dynamics() {
    return dynamics;
  }

  public IntegratorSpec integrator() {
    return experiment.integrator();
  }

  public List<ObservableSpec> observe() {
    return experiment.observe();
  }

  /** Initial positions, a new array {@code [R][n][d]}, row-major; unit vectors on the sphere. */
  public double[] positions() {
    int one = shape.n() * shape.d();
    double[] x = new double[Math.toIntExact(shape.size())];
    for (int r = 0; r < shape.replicas(); r++) {
      if (given != null) {
        System.arraycopy(given, given.length == one ? 0 : r * one, x, r * one, one);
      } else {
        InitialTokens.draw(
            experiment.tokens().init(), experiment.seed(), r, shape.n(), shape.d(), x, r * one);
      }
    }
    return x;
  }

  /** Text of {@code experiment.yaml}: read again, it gives the same experiment. */
  public String yaml() {
    return new ExperimentWriter(true).write(experiment);
  }

  /**
   * The run id: the first 12 hexadecimal digits of the SHA-256 of {@link #yaml} without its {@code
   * execution} block and without the places of its files, which count by their content.
   */
  public String id() {
    return Sha256.of(new ExperimentWriter(false).write(experiment)).substring(0, 12);
  }
}
