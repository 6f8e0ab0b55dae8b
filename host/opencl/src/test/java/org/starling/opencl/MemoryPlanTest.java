package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;

/** Memory stays proportional to the state, and the largest n is where the plan stops fitting. */
class MemoryPlanTest {
  private static final int NUMBERS_PER_TOKEN = 8;

  private static Layer layer(int d) {
    Weight one = Weight.identity(d);
    return new Layer(
        Geometry.SPHERE,
        Mask.FULL,
        Normalisation.SOFTMAX,
        1,
        List.of(new Layer.LayerHead(one, one, one, one)),
        null);
  }

  @ParameterizedTest(name = "{0} n={1} d={2}")
  @CsvSource({
    "SINGLE,100000,2",
    "SINGLE,20000,64",
    "SINGLE,4096,512",
    "DOUBLE,100000,3",
    "DOUBLE,4096,128"
  })
  void aRunNeedsAFewCopiesOfTheState(Precision precision, int n, int d) {
    Shape shape = new Shape(1, n, d);
    List<Layer> layers = List.of(layer(d));
    try (Engine engine = TestDevices.open(TestDevices.api(), precision)) {
      // States, fields and two packed copies; beside them only a few numbers a token.
      MemoryPlan rk4 = engine.plan(shape, layers, 2, 2);
      assertEquals((long) n * d * (precision == Precision.DOUBLE ? 8 : 4), rk4.stateBytes());
      double scalars = (double) NUMBERS_PER_TOKEN / d;
      assertTrue(
          rk4.stateCopies() <= 6 + scalars, () -> rk4.stateCopies() + " copies: " + rk4.items());
      MemoryPlan dopri5 = engine.plan(shape, layers, 2, 7);
      assertTrue(
          dopri5.stateCopies() <= 11 + scalars,
          () -> dopri5.stateCopies() + " copies: " + dopri5.items());
      assertTrue(rk4.items().stream().allMatch(i -> i.bytes() > 0), () -> "" + rk4.items());
    }
  }

  @ParameterizedTest(name = "R={0} d={1}")
  @CsvSource({"1,2", "3,64"})
  void theLargestNFitsAndTheNextDoesNot(int replicas, int d) {
    List<Layer> layers = Collections.nCopies(replicas, layer(d));
    try (Engine engine = TestDevices.open(TestDevices.api(), Precision.SINGLE)) {
      int n = engine.plan(new Shape(replicas, 100, d), layers, 2, 7).largestN();
      assertTrue(n > 1000, "largest n " + n);
      MemoryPlan fits = engine.plan(new Shape(replicas, n, d), layers, 2, 7);
      assertTrue(fits.fits());
      assertEquals(n, fits.largestN());
      MemoryPlan over = engine.plan(new Shape(replicas, n + 1, d), layers, 2, 7);
      assertFalse(over.fits(), "n + 1 fits too");
    }
  }
}
