package org.starling.opencl;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jocl.CL;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.NativeFunctions;
import org.starling.core.engine.Observations;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.engine.TileChoices;
import org.starling.core.engine.Watch;
import org.starling.core.engine.WholeSteps;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.GroupTiles;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.Handle;
import org.starling.opencl.cl.JoclLoader;

/**
 * Runs every kernel once at the edges of its tiles, in a JVM of its own whose only OpenCL platform
 * is the checker. Prints the platform's name, so that the parent knows who was watching. Arguments:
 * a precision; {@code cpu} or {@code gpu}, the family of kernels; {@code states}, {@code lanes},
 * {@code layers}, {@code series}, {@code halves}, {@code paths} or {@code tiles}, and for the last
 * one settings of tile sizes.
 */
final class OclgrindProbe {
  private static final int[][] SHAPES = {{1, 1, 1}, {2, 5, 3}, {1, 17, 5}, {2, 33, 2}};

  /** Whole vectors of every width and a rest, of more tokens than an item takes. */
  private static final int[][] LANE_SHAPES = {{1, 5, 9}, {2, 17, 19}};

  /** Around the widths of vectors and row blocks, on both sides of the small dimensions. */
  private static final int[][] LAYER_SHAPES = {
    {1, 1, 1}, {2, 9, 2}, {1, 17, 8}, {1, 7, 9}, {1, 49, 17}
  };

  private OclgrindProbe() {}

  public static void main(String[] arguments) throws Exception {
    OpenClProvider provider =
        TestDevices.provider(understood(JoclLoader.load(), arguments[1].equals("cpu")));
    DeviceInfo device = TestDevices.first(provider);
    System.out.println("platform=" + device.properties().get("platform"));
    Precision precision = Precision.valueOf(arguments[0]);
    boolean series = arguments[2].equals("series");
    boolean halves = arguments[2].equals("halves");
    EngineOptions options =
        EngineOptions.of(precision)
            .withSummation(series ? Summation.EXPANSION : Summation.PAIRS)
            .withStorage(halves ? Storage.HALF : Storage.FULL);
    if (arguments[2].equals("paths")) {
      try (PathOperations operations = provider.openPaths(device, precision)) {
        ProbePaths.run(operations);
      }
      System.out.println("done");
      return;
    }
    if (arguments[2].equals("tiles")) {
      for (String tiles : Arrays.asList(arguments).subList(3, arguments.length)) {
        tiles(provider, device, options.withPinned(Map.of(TileChoices.SETTING, tiles)));
      }
      System.out.println("done");
      return;
    }
    try (Engine engine = provider.open(device, options)) {
      if (series) {
        series(engine, new Shape(1, 9, 2));
        series(engine, new Shape(1, 9, 3));
      } else if (halves) {
        halves(engine, new Shape(2, 7, 9));
        halves(engine, new Shape(1, 49, 17));
      } else if (arguments[2].equals("states")) {
        ((NativeFunctions) engine).worstRelativeErrors();
        Philox stream = Philox.stream(1, Philox.Purpose.NOISE, 0);
        ((NativeFunctions) engine).randomWords(stream, 3, 2, 9);
        for (int[] s : SHAPES) {
          states(engine, new Shape(s[0], s[1], s[2]));
        }
      } else if (arguments[2].equals("lanes")) {
        for (int[] s : LANE_SHAPES) {
          states(engine, new Shape(s[0], s[1], s[2]));
        }
      } else {
        for (int[] s : LAYER_SHAPES) {
          layers(engine, new Shape(s[0], s[1], s[2]));
        }
      }
    }
    System.out.println("done");
  }

  /**
   * What the checker understands: it does not see that a fill initialises memory, a write it does
   * see; and it knows too few of the instructions that an optimiser makes.
   */
  private static ClApi understood(ClApi real, boolean cpu) {
    return (ClApi)
        Proxy.newProxyInstance(
            ClApi.class.getClassLoader(),
            new Class<?>[] {ClApi.class},
            (proxy, method, a) -> {
              if (cpu && method.getName().equals("deviceInfo") && (int) a[1] == CL.CL_DEVICE_TYPE) {
                return ByteBuffer.allocate(8)
                    .order(ByteOrder.nativeOrder())
                    .putLong(CL.CL_DEVICE_TYPE_CPU)
                    .array();
              }
              if (method.getName().equals("buildProgram")) {
                real.buildProgram((Handle) a[0], (Handle) a[1], a[2] + " -cl-opt-disable");
                return null;
              }
              if (!method.getName().equals("fill")) {
                try {
                  return method.invoke(real, a);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }
              byte[] pattern = (byte[]) a[2];
              byte[] bytes = new byte[Math.toIntExact((Long) a[4])];
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = pattern[i % pattern.length];
              }
              real.write(
                  (Handle) a[0], (Handle) a[1], (Long) a[3], bytes.length, ByteBuffer.wrap(bytes));
              return null;
            });
  }

  private static void layers(Engine engine, Shape shape) {
    double[] numbers = new Random(8).doubles(shape.size(), -1, 1).toArray();
    boolean[] active = new boolean[shape.replicas()];
    Arrays.fill(active, true);
    try (State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(x, numbers);
      Observations o = engine.observations();
      for (Layer layer : ProbeLayers.all(shape.d())) {
        Layer[] each = new Layer[shape.replicas()];
        Arrays.fill(each, layer);
        engine.velocity(x, each, active, v);
        engine.attend(x, each, active, v);
        engine.download(v);
        wholeSteps(engine, x, each);
        o.attentionEntropy(x, each);
        o.attentionRows(x, layer, 0, 0, new int[] {0, shape.n() - 1});
        if (layer.geometry() == Geometry.SPHERE) {
          o.energy(x, each);
        }
      }
      o.innerProducts(x, 7);
      o.clusters(x, Observations.Linkage.COSINE, 0.5);
      o.clusters(x, Observations.Linkage.DISTANCE, 0.5);
    }
  }

  /** The attention kernels of keys and values of 16 bits. */
  private static void halves(Engine engine, Shape shape) {
    double[] numbers = new Random(8).doubles(shape.size(), -1, 1).toArray();
    numbers[0] = 1e9;
    boolean[] active = new boolean[shape.replicas()];
    Arrays.fill(active, true);
    try (State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(x, numbers);
      for (Layer layer : ProbeLayers.all(shape.d())) {
        if (layer.normalisation() != Normalisation.HARDMAX) {
          Layer[] each = new Layer[shape.replicas()];
          Arrays.fill(each, layer);
          engine.velocity(x, each, active, v);
          engine.download(v);
        }
      }
      engine.takeReport();
    }
  }

  /**
   * Every variant of one setting, with a token more than a block, or a work-group's tile, has rows.
   */
  private static void tiles(OpenClProvider provider, DeviceInfo device, EngineOptions options) {
    String setting = options.pinned().get(TileChoices.SETTING);
    int rows =
        setting.startsWith("groups")
            ? GroupTiles.parse(setting).rows()
            : BlockTiles.parse(setting).rows();
    int d = 9;
    Shape shape = new Shape(1, rows + 1, d);
    double[] numbers = new Random(8).doubles(shape.size(), -1, 1).toArray();
    try (Engine engine = provider.open(device, options);
        State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(x, numbers);
      for (Layer layer : ProbeLayers.families(d)) {
        engine.velocity(x, new Layer[] {layer}, new boolean[] {true}, v);
        engine.download(v);
      }
    }
  }

  /**
   * On circle or sphere; a little off it, which takes more powers; far off it, which takes pairs.
   */
  private static void series(Engine engine, Shape shape) {
    Random random = new Random(9);
    boolean[] active = new boolean[shape.replicas()];
    Arrays.fill(active, true);
    try (State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      for (double off : new double[] {0, 2e-3, 1}) {
        double[] numbers = new double[(int) shape.size()];
        for (int k = 0; k < numbers.length; k += shape.d()) {
          double square = 0;
          for (int a = 0; a < shape.d(); a++) {
            numbers[k + a] = random.nextGaussian();
            square += numbers[k + a] * numbers[k + a];
          }
          double length = (1 + off * random.nextDouble()) / Math.sqrt(square);
          for (int a = 0; a < shape.d(); a++) {
            numbers[k + a] *= length;
          }
        }
        engine.upload(x, numbers);
        for (Layer layer : ProbeLayers.series(shape.d())) {
          Layer[] each = new Layer[shape.replicas()];
          Arrays.fill(each, layer);
          if (off > 0) {
            engine.velocity(x, each, active, v);
          } else {
            engine.attend(x, each, active, v);
          }
          engine.download(v);
        }
      }
    }
  }

  /** Two steps from a copy, where the engine makes whole ones of this layer. */
  private static void wholeSteps(Engine engine, State x, Layer[] layers) {
    Shape shape = x.shape();
    RungeKutta heun = Integrators.scheme(Method.HEUN);
    WholeSteps whole = engine.wholeSteps().orElseThrow();
    if (!whole.accepts(heun, shape, List.of(layers))) {
      return;
    }
    double[] size = new double[shape.replicas()];
    int[] most = new int[shape.replicas()];
    Arrays.fill(size, 0.1);
    Arrays.fill(most, 2);
    List<Watch> watches =
        List.of(
            new Watch(Watch.Kind.COSINE_CLUSTERS, 0.999, 2, 1),
            new Watch(Watch.Kind.DISTANCE_CLUSTERS, 0.3, 3, 1),
            new Watch(Watch.Kind.NEAR_FIRST, 1e-3, 1, 2));
    WholeSteps.Watching watching = new WholeSteps.Watching(watches, new long[most.length]);
    try (State y = engine.allocateState(shape);
        State previous = engine.allocateState(shape);
        Field slope = engine.allocateField(shape)) {
      engine.restore(y, engine.snapshot(x));
      whole.advance(heun, y, previous, layers, size, most, WholeSteps.Watching.NOTHING);
      boolean[] all = new boolean[most.length];
      Arrays.fill(all, true);
      whole.slope(heun, y, layers, all, slope);
      engine.download(slope);
      // Conditions are judged alike whatever the layer.
      boolean watched = layers[0].geometry() == Geometry.SPHERE && layers[0].beta() == 1;
      if (watched) {
        whole.advance(heun, y, previous, layers, size, most, watching);
      }
      // The longest of all kernels to compile for a checker: in one small dimension.
      if (shape.d() == 2) {
        attempts(engine, whole, y, layers, WholeSteps.Watching.NOTHING);
        if (watched) {
          attempts(engine, whole, y, layers, watching);
        }
      }
    }
  }

  /** Attempts of which some are accepted and some are not, a side step and a slope. */
  private static void attempts(
      Engine engine, WholeSteps whole, State x, Layer[] layers, WholeSteps.Watching watching) {
    RungeKutta scheme = Integrators.scheme(Method.DOPRI5);
    StepLaw law = new StepLaw(0.9, 0.17, 0.04, 10, 0.1, 0.2, 0.1, 1e-4, 1e-3, 1e-3, 0, 0, 9);
    int replicas = x.shape().replicas();
    double never = Double.POSITIVE_INFINITY;
    double[] size = new double[replicas];
    double[] memory = new double[replicas];
    int[] most = new int[replicas];
    boolean[] all = new boolean[replicas];
    Arrays.fill(size, 2);
    Arrays.fill(memory, 1);
    Arrays.fill(most, 3);
    Arrays.fill(all, true);
    WholeSteps.Clocks clocks =
        new WholeSteps.Clocks(
            new double[replicas],
            new double[replicas],
            size,
            memory,
            new boolean[replicas],
            new boolean[replicas],
            new int[replicas],
            new boolean[replicas]);
    WholeSteps.Limits limits = new WholeSteps.Limits(most, most, never, never);
    Field[] slopes = new Field[6];
    try (State end = engine.allocateState(x.shape())) {
      for (int m = 0; m < slopes.length; m++) {
        slopes[m] = engine.allocateField(x.shape());
      }
      whole.adapt(scheme, law, x, end, slopes, layers, clocks, limits, watching);
      whole.sideStep(scheme, law, x, end, layers, size);
      whole.slope(scheme, x, layers, all, slopes[0]);
      engine.download(slopes[0]);
    } finally {
      for (Field slope : slopes) {
        if (slope != null) {
          slope.close();
        }
      }
    }
  }

  private static void states(Engine engine, Shape shape) {
    Random random = new Random(7);
    double[] numbers = random.doubles(shape.size(), -1, 1).toArray();
    boolean[] active = new boolean[shape.replicas()];
    Arrays.fill(active, true);
    if (active.length > 1) {
      active[0] = false;
    }
    State x = engine.allocateState(shape);
    State y = engine.allocateState(shape);
    engine.upload(x, numbers);
    List<Field> k = new ArrayList<>();
    for (int terms = 0; terms <= 8; terms += 4) {
      double[][] coefficients = new double[k.size()][shape.replicas()];
      for (double[] c : coefficients) {
        Arrays.fill(c, 0.1);
      }
      Field[] fields = k.toArray(Field[]::new);
      engine.combine(y, x, coefficients, fields, active);
      engine.errorNorm(x, y, coefficients, fields, 1e-9, 1e-6, active);
      for (int m = 0; m < 4; m++) {
        Field f = engine.allocateField(shape);
        engine.upload(f, numbers);
        k.add(f);
      }
    }
    double[] tenth = new double[shape.replicas()];
    Arrays.fill(tenth, 0.1);
    engine.combineBoth(y, x, tenth, x, x, tenth, k.get(0), active);
    Philox[] streams = new Philox[shape.replicas()];
    Arrays.fill(streams, Philox.stream(1, Philox.Purpose.NOISE, 0));
    engine.addNoise(y, x, streams, new long[streams.length], tenth, true, active);
    engine.addNoise(y, x, streams, new long[streams.length], tenth, false, active);
    engine.largest(k.get(0), active);
    MergedKeys[] keys = new MergedKeys[active.length];
    keys[keys.length - 1] = new MergedKeys(new int[shape.n()]);
    engine.keyShift(x, keys);
    engine.retract(y, active);
    engine.download(y);
    Observations o = engine.observations();
    o.norms(x);
    o.distanceToFirst(x);
    o.orderParameter(x);
    o.secondMoment(x);
    o.nonFinite(x);
    k.forEach(Field::close);
    x.close();
    y.close();
  }
}
