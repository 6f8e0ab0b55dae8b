package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/** Velocities of an independent solver. */
abstract class SolverCaseContract extends VelocityTheme {
  static Stream<SolverCase> cases() {
    return SolverCase.NAMES.stream().map(SolverCase::load);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theVelocityAgreesWithTheirs(SolverCase c) {
    // In float32 the positions alone are off by 6e-8, and the scores by beta times that.
    double owed = subject().precision() == Precision.DOUBLE ? 1e-11 : 1e-4;
    double[] v = velocity(c.n(), c.d(), c.x0(), c.dynamics().at(0, 0));
    for (int i = 0; i < c.n(); i++) {
      double[] difference = new double[c.d()];
      for (int a = 0; a < c.d(); a++) {
        difference[a] = v[i * c.d() + a] - c.v0()[i * c.d() + a];
      }
      double error = Naive.norm(difference, 0, c.d());
      double speed = Naive.norm(c.v0(), i * c.d(), c.d());
      int token = i;
      assertTrue(
          error <= owed * speed,
          () -> "token " + token + ": error " + error + " at speed " + speed);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theVelocityIsWithinTheRule(SolverCase c) {
    Layer layer = c.dynamics().at(0, 0);
    double[] x = subject().representable(c.x0());
    assertOwed(List.of(new Scene(c.name(), c.n(), c.d(), x, layer)));
  }
}
