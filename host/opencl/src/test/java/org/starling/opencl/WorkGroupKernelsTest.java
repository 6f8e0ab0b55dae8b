package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starling.opencl.Clouds.gaussian;
import static org.starling.opencl.Clouds.onSphere;
import static org.starling.opencl.Clouds.slice;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jocl.CL;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Layer.LayerHead;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;
import org.starling.cpu.reference.ReferenceJudge;
import org.starling.opencl.cl.ClApi;

/** The kernels that GPUs get, run on whatever device is here: same tolerance, any hardware. */
@Tag("kernels")
class WorkGroupKernelsTest {
  private static final int SEED = 11;

  @ParameterizedTest(name = "{0} n={1} d={2} {3} seed " + SEED)
  @CsvSource({
    "MIXED,65,3,groups grid=8 tile=4 chunk=16",
    "SINGLE,70,17,groups grid=8 tile=4 chunk=16",
    "DOUBLE,33,17,groups grid=4 tile=5 chunk=10"
  })
  void velocitiesAreOwed(Precision precision, int n, int d, String tiles) {
    ClApi api = asGpu(TestDevices.api());
    OpenClProvider provider = TestDevices.provider(api);
    Shape shape = new Shape(2, n, d);
    List<Layer> layers = layers(d);
    List<String> faults = new ArrayList<>();
    EngineOptions options = new EngineOptions(precision, Map.of("tiles", tiles));
    try (Engine engine = provider.open(TestDevices.first(provider), options);
        State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      assertEquals("work-groups, sizes untested", engine.identity().settings().get("attention"));
      assertEquals(tiles, engine.identity().settings().get("tiles"));
      for (int k = 0; k < layers.size(); k++) {
        // Two layers at once: replicas of one launch differ in everything a launch allows.
        Layer[] each = {layers.get(k), layers.get((k + 1) % layers.size())};
        engine.upload(x, onSphere(2 * n, d, SEED));
        double[] positions = engine.download(x);
        engine.dropReport();
        engine.velocity(x, each, new boolean[] {true, true}, v);
        FieldReport report = engine.takeReport();
        double[] field = engine.download(v);
        long below = 0;
        for (int r = 0; r < 2; r++) {
          Verdict verdict =
              judge(precision, each[r], n, d, slice(positions, r, n * d), slice(field, r, n * d));
          below += verdict.belowRange();
          if (!verdict.passed()) {
            faults.add("layer " + k + " replica " + r + ": " + verdict.sentence());
          }
        }
        assertTrue(report.belowRange() >= below, "layer " + k + " below range: " + report);
      }
    }
    assertTrue(faults.isEmpty(), String.join("\n", faults));
  }

  private static Verdict judge(
      Precision precision, Layer layer, int n, int d, double[] x, double[] v) {
    int[] rows = IntStream.range(0, n).toArray();
    Judge judge = new ReferenceJudge();
    double[][] computed = new double[n][];
    for (int i = 0; i < n; i++) {
      computed[i] = Arrays.copyOfRange(v, i * d, (i + 1) * d);
    }
    return ToleranceRule.of(precision)
        .judge(
            new ToleranceRule.Sample(
                judge.velocity(x, n, d, layer, rows),
                judge.yardstick(x, n, d, layer, rows),
                computed));
  }

  private static List<Layer> layers(int d) {
    Weight dense = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 1));
    Weight other = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 2));
    Weight one = Weight.identity(d);
    return List.of(
        layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 4, head(one, one)),
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 200, head(one, one)),
        layer(Geometry.SPHERE, Mask.alibi(0.2), Normalisation.SOFTMAX, 9, head(dense, other)),
        layer(Geometry.EUCLIDEAN, Mask.window(9), Normalisation.UNNORMALISED, 1, head(one, dense)),
        layer(
            Geometry.RESCALED,
            Mask.prefix(40),
            Normalisation.SOFTMAX,
            2,
            head(dense, one),
            head(one, other)),
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.HARDMAX, 1, head(one, dense)),
        layer(Geometry.EUCLIDEAN, Mask.FULL, Normalisation.HARDMAX, 1, head(dense, one)));
  }

  private static Layer layer(
      Geometry geometry, Mask mask, Normalisation rule, double beta, LayerHead... heads) {
    return new Layer(geometry, mask, rule, beta, List.of(heads), null);
  }

  private static LayerHead head(Weight s, Weight v) {
    return new LayerHead(s, v, Weight.identity(s.rows()), s);
  }

  /** The same calls on a device that says it is a GPU. */
  static ClApi asGpu(ClApi real) {
    return (ClApi)
        Proxy.newProxyInstance(
            ClApi.class.getClassLoader(),
            new Class<?>[] {ClApi.class},
            (proxy, method, a) -> {
              if (method.getName().equals("deviceInfo") && (int) a[1] == CL.CL_DEVICE_TYPE) {
                return ByteBuffer.allocate(8)
                    .order(ByteOrder.nativeOrder())
                    .putLong(CL.CL_DEVICE_TYPE_GPU)
                    .array();
              }
              try {
                return method.invoke(real, a);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
