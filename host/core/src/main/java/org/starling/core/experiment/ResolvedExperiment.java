package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Philox;
import org.starling.core.store.Sha256;

/** An experiment with every default and input in place: what a run is made of. */
public final class ResolvedExperiment {
  private final Experiment experiment;
  private final Shape shape;
  private final Replicas replicas;
  private final double[] given;

  /**
   * @param given positions read from a file, {@code [n][d]} or {@code [R][n][d]}; null for drawn
   *     ones
   */
  ResolvedExperiment(Experiment experiment, Shape shape, Replicas replicas, double[] given) {
    this.experiment = experiment;
    this.shape = shape;
    this.replicas = replicas;
    this.given = given;
  }

  /** The experiment with n, d, replicas, deviations and file digests filled in. */
  public Experiment experiment() {
    return experiment;
  }

  public Shape shape() {
    return shape;
  }

  /** The dynamics of the first replica; without a sweep that of all. */
  public Dynamics dynamics() {
    return replicas.dynamics().get(0);
  }

  /**
   * The dynamics of each replica, R entries; equal ones are one object.
   *
   * @throws ExperimentException if a point of the sweep has an input that does not fit
   */
  public List<Dynamics> replicaDynamics() {
    return replicas.dynamics();
  }

  /** The dynamics that occur, each once, in the order of their first replicas. */
  public List<Dynamics> distinctDynamics() {
    return replicas.distinct();
  }

  /** The swept parameters of each replica by key, its seed apart; R entries. */
  public List<Map<String, Object>> parameters() {
    return replicas.parameters(shape.replicas());
  }

  /** Seed of a replica. */
  public long seed(int replica) {
    return replicas.seed(replica);
  }

  /**
   * Where the noise of each replica comes from, by its seed and the number of its start: so a
   * replica of a sweep has the noise of a run of that point alone. R entries, or none where no
   * replica has noise.
   */
  public List<Philox> noise() {
    if (replicas.distinct().stream().allMatch(one -> one.noise() == 0)) {
      return List.of();
    }
    List<Philox> streams = new ArrayList<>(shape.replicas());
    for (int r = 0; r < shape.replicas(); r++) {
      streams.add(Philox.stream(replicas.seed(r), Philox.Purpose.NOISE, replicas.start(r)));
    }
    return streams;
  }

  public IntegratorSpec integrator() {
    return experiment.integrator();
  }

  public List<ObservableSpec> observe() {
    return experiment.observe();
  }

  /**
   * Initial positions, a new array {@code [R][n][d]}, row-major; unit vectors on the sphere.
   * Replicas of a sweep with the same seed, law and number of start have the same, those of a run
   * of that point alone.
   */
  public double[] positions() {
    int one = shape.n() * shape.d();
    double[] x = new double[Math.toIntExact(shape.size())];
    Map<Init, int[]> known = new HashMap<>();
    for (int r = 0; r < shape.replicas(); r++) {
      int like = replicas.likeStart(r, known);
      if (given == null && like < r) {
        System.arraycopy(x, like * one, x, r * one, one);
        replicas.place(r, x, r * one);
      } else {
        replicas.start(r, x, r * one);
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
