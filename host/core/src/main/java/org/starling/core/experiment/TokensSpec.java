package org.starling.core.experiment;

import java.util.List;

/**
 * The block {@code tokens} of an experiment.
 *
 * @param n tokens of a replica; null where the start file decides
 * @param d dimension; null where the start file decides
 * @param replicas null where the start file decides, else 1 unless given
 * @param frozen tokens that stand still, or null
 * @param weights a_j of the first tokens as keys, those of all others 1; null where all are
 */
public record TokensSpec(
    Integer n, Integer d, Integer replicas, Init init, Frozen frozen, List<Double> weights) {
  public TokensSpec {
    weights = weights == null ? null : List.copyOf(weights);
  }

  /** Which tokens stand still. */
  public sealed interface Frozen {
    /** The first ones. */
    record First(int count) implements Frozen {}

    /** Tokens by their indices from 0 on. */
    record Listed(List<Integer> tokens) implements Frozen {
      public Listed {
        tokens = List.copyOf(tokens);
      }
    }

    /** The first ones, put at stated places, {@code [m][d]}, whatever the start says. */
    record At(List<List<Double>> rows) implements Frozen {
      public At {
        rows = rows.stream().map(List::copyOf).toList();
      }
    }

    /** The first ones, put at stated angles on the circle, {@code [m]}. */
    record AtAngles(List<Double> angles) implements Frozen {
      public AtAngles {
        angles = List.copyOf(angles);
      }
    }

    /**
     * Renyi centres of the start on the sphere, at distance c / sqrt(beta); strong or ordinary
     * ones.
     */
    record Centres(double c, boolean strong) implements Frozen {}
  }

  /** How tokens start. */
  public sealed interface Init {
    /** Independent and uniform on the unit sphere. */
    record UniformSphere() implements Init {}

    /** Independent entries N(0, std^2). */
    record Gaussian(double std) implements Init {}

    /** Independent entries uniform on [-a, a]. */
    record UniformCube(double a) implements Init {}

    /** x_i = e_i, i = 1..n &lt;= d; the same in every replica. */
    record Orthonormal() implements Init {}

    /**
     * Unit vectors with &lt;x_i, x_j&gt; = rho for i != j, rho in [-1/(n-1), 1), n &lt;= d: the
     * rows of the Cholesky factor of their Gram matrix; the same in every replica.
     */
    record Equiangular(double rho) implements Init {}

    /** Tokens written out, {@code [n][d]}; every replica starts there. */
    record Points(List<List<Double>> rows) implements Init {
      public Points {
        rows = rows.stream().map(List::copyOf).toList();
      }
    }

    /** Tokens (cos a, sin a) on the circle, by their angles a in radians, {@code [n]}. */
    record Angles(List<Double> angles) implements Init {
      public Angles {
        angles = List.copyOf(angles);
      }
    }

    /** A .npy array {@code [n][d]} (every replica starts there) or {@code [R][n][d]}. */
    record Npy(InputFile file) implements Init {}
  }
}
