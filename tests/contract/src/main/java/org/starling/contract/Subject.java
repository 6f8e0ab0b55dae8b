package org.starling.contract;

import java.util.function.Supplier;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Judge;
import org.starling.core.model.Precision;

/**
 * The engine under test.
 *
 * @param precision what {@code engine} opens
 * @param engine opens a fresh engine; the suite closes it
 * @param judge the reference engine's judge
 * @param runsJava whether the engine accepts a user's own interaction; if not it must refuse it
 */
public record Subject(Precision precision, Supplier<Engine> engine, Judge judge, boolean runsJava) {

  /** Unit roundoff of the working precision. */
  double epsilon() {
    return precision == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
  }

  /** Unit roundoff of a stored coordinate. */
  double stateEpsilon() {
    return switch (precision) {
      case SINGLE -> 0x1p-24;
      case MIXED -> 0x1p-46;
      case DOUBLE -> 0x1p-53;
    };
  }

  /**
   * Positions that every state of this precision holds exactly: rounded to float32 unless the
   * engine works in float64.
   */
  double[] representable(double[] x) {
    if (precision == Precision.DOUBLE) {
      return x.clone();
    }
    double[] rounded = new double[x.length];
    for (int a = 0; a < x.length; a++) {
      rounded[a] = (float) x[a];
    }
    return rounded;
  }
}
