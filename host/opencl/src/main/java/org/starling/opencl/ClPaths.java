package org.starling.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Sequences;
import org.starling.kernels.PathKernels;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * Path operations on an OpenCL device. Vectors are padded with zeros to whole strips of the
 * product's kernel; results do not depend on the padding.
 */
final class ClPaths implements PathOperations {
  /** Bytes of projected tokens that are on the device at a time. */
  private static final long CHUNK_BYTES = 256L << 20;

  /** Tokens whose logits fit in any device's local memory. */
  private static final int MOST_TOKENS = 1024;

  private final DeviceSession session;
  private final Precision precision;
  private final PathLaunches launches;
  private final Transfers transfers;

  /** Takes over the session, which is closed with the operations. */
  ClPaths(DeviceSession session, Precision precision) {
    this.session = session;
    this.precision = precision;
    this.transfers = new Transfers(precision);
    this.launches = new PathLaunches(session, precision == Precision.DOUBLE);
  }

  @Override
  public EngineIdentity identity() {
    return KernelIdentity.of(
        session.device(),
        precision,
        new TreeMap<>(
            Map.of(
                "path strip",
                Integer.toString(launches.strip()),
                "path rows",
                Integer.toString(PathKernels.ROWS))));
  }

  @Override
  public Precision precision() {
    return precision;
  }

  private boolean fp64() {
    return precision == Precision.DOUBLE;
  }

  private long bytes(long numbers) {
    return numbers * (fp64() ? 8 : 4);
  }

  private <T> T get(String what, Supplier<T> action) {
    try {
      return action.get();
    } catch (ClException e) {
      throw new EngineException(
          EngineException.Kind.DEVICE_FAILURE,
          what + " on " + session.device().name() + " failed: " + e.getMessage(),
          e);
    }
  }

  private DeviceBuffer allocate(String name, long numbers) {
    return session.allocate(name, Math.max(16, bytes(numbers)));
  }

  /** Writes rows into a buffer whose rows are longer. */
  private void write(DeviceBuffer to, double[] from, int at, int rows, int columns, int padded) {
    double[] wide = new double[Math.multiplyExact(rows, padded)];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(from, at + r * columns, wide, r * padded, columns);
    }
    transfers.upload(wide, to, null);
  }

  private double[] read(DeviceBuffer from, int size) {
    return transfers.download(size, from, null);
  }

  @Override
  public PathFeatures features(PathAttention attention, Sequences inputs, double scale) {
    if (inputs.tokens() > MOST_TOKENS) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "sequences of "
              + inputs.tokens()
              + " tokens; the OpenCL kernel of attention paths takes at most "
              + MOST_TOKENS
              + ", use --device java");
    }
    return get("computing attentioned inputs", () -> computed(attention, inputs, scale));
  }

  private ClFeatures computed(PathAttention attention, Sequences inputs, double scale) {
    int padded = launches.padded(attention.width());
    int paths = attention.paths();
    int tokens = inputs.tokens();
    List<double[]> heads = new ArrayList<>();
    attention.layers().forEach(heads::addAll);
    long each = bytes((long) tokens * padded * (heads.size() + 1) + 2L * paths * tokens);
    int chunk = (int) Math.max(1, Math.min(inputs.count(), CHUNK_BYTES / each));
    ClFeatures out = allocate(inputs.count(), paths, attention.width());
    boolean done = false;
    List<DeviceBuffer> weights = new ArrayList<>();
    try (DeviceBuffer x = allocate("tokens", (long) chunk * tokens * padded);
        DeviceBuffer y = allocate("projected", (long) heads.size() * chunk * tokens * padded);
        DeviceBuffer v = allocate("path weights", 2L * chunk * paths * tokens);
        DeviceBuffer table = session.allocate("heads", 4L * attention.depth())) {
      int[] counts = new int[attention.depth()];
      for (int l = 0; l < counts.length; l++) {
        counts[l] = attention.heads(l);
      }
      table.write(0, counts, 0, counts.length);
      for (double[] w : heads) {
        DeviceBuffer buffer = allocate("head", (long) attention.width() * padded);
        weights.add(buffer);
        write(
            buffer,
            transposed(w, attention.width()),
            0,
            attention.width(),
            attention.width(),
            padded);
      }
      for (int first = 0; first < inputs.count(); first += chunk) {
        int count = Math.min(chunk, inputs.count() - first);
        int length = tokens * inputs.width();
        write(x, inputs.x(), first * length, count * tokens, inputs.width(), padded);
        for (int h = 0; h < heads.size(); h++) {
          launches.product(
              PathLaunches.Matrix.of(x, padded),
              PathLaunches.Matrix.of(weights.get(h), padded),
              new PathLaunches.Matrix(y, (long) h * count * tokens * padded, 0, padded),
              count * tokens,
              padded,
              inputs.width(),
              1);
        }
        launches.features(
            attention,
            tokens,
            padded,
            x,
            y,
            table,
            v,
            out.values(),
            (long) first * paths * padded,
            count,
            scale);
      }
      session.finish();
      done = true;
    } finally {
      weights.forEach(DeviceBuffer::close);
      if (!done) {
        out.close();
      }
    }
    return out;
  }

  private static double[] transposed(double[] w, int width) {
    double[] t = new double[w.length];
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        t[j * width + i] = w[i * width + j];
      }
    }
    return t;
  }

  private ClFeatures allocate(int count, int paths, int width) {
    int padded = launches.padded(width);
    return new ClFeatures(
        count, paths, width, padded, allocate("features", (long) count * paths * padded));
  }

  @Override
  public PathFeatures upload(int count, int paths, int width, double[] values) {
    if (values.length != (long) count * paths * width) {
      throw new IllegalArgumentException(values.length + " values");
    }
    return get(
        "uploading attentioned inputs",
        () -> {
          ClFeatures out = allocate(count, paths, width);
          write(out.values(), values, 0, count * paths, width, out.padded());
          return out;
        });
  }

  @Override
  public double[] download(PathFeatures features) {
    ClFeatures f = (ClFeatures) features;
    return get(
        "downloading attentioned inputs",
        () -> {
          int rows = f.count() * f.paths();
          double[] wide = read(f.values(), rows * f.padded());
          double[] out = new double[rows * f.width()];
          for (int r = 0; r < rows; r++) {
            System.arraycopy(wide, r * f.padded(), out, r * f.width(), f.width());
          }
          return out;
        });
  }

  @Override
  public void pathKernel(PathFeatures rows, PathFeatures columns, int p, int q, double[] out) {
    ClFeatures x = (ClFeatures) rows;
    ClFeatures y = (ClFeatures) columns;
    get(
        "a path-path kernel",
        () -> {
          int leading = launches.padded(y.count());
          try (DeviceBuffer c = allocate("kernel", (long) x.count() * leading)) {
            launches.product(
                new PathLaunches.Matrix(x.values(), (long) p * x.padded(), 0, x.length()),
                new PathLaunches.Matrix(transposed(y), (long) q * y.padded() * leading, 0, leading),
                PathLaunches.Matrix.of(c, leading),
                x.count(),
                leading,
                x.padded(),
                1);
            narrow(c, x.count(), y.count(), leading, out);
          }
          return null;
        });
  }

  /** Columns of the examples, made when they are first asked for. */
  private DeviceBuffer transposed(ClFeatures f) {
    if (f.transposed == null) {
      int leading = launches.padded(f.count());
      f.transposed = allocate("features, transposed", (long) f.length() * leading);
      launches.transpose(f.values(), f.transposed, f.count(), f.length(), leading);
    }
    return f.transposed;
  }

  private void narrow(DeviceBuffer from, int rows, int columns, int leading, double[] out) {
    double[] wide = read(from, rows * leading);
    for (int r = 0; r < rows; r++) {
      System.arraycopy(wide, r * leading, out, r * columns, columns);
    }
  }

  @Override
  public void kernel(PathFeatures rows, PathFeatures columns, double[] u, double[] out) {
    ClFeatures x = (ClFeatures) rows;
    ClFeatures y = (ClFeatures) columns;
    int n = x.paths();
    get(
        "a kernel",
        () -> {
          int leading = launches.padded(y.count());
          try (DeviceBuffer matrix = allocate("order parameters", (long) n * n);
              DeviceBuffer mixed = allocate("mixed features", (long) x.count() * x.length());
              DeviceBuffer c = allocate("kernel", (long) x.count() * leading)) {
            write(matrix, u, 0, n, n, n);
            launches.product(
                PathLaunches.Matrix.of(matrix, n),
                new PathLaunches.Matrix(x.values(), 0, x.length(), x.padded()),
                new PathLaunches.Matrix(mixed, 0, x.length(), x.padded()),
                n,
                x.padded(),
                n,
                x.count());
            launches.product(
                PathLaunches.Matrix.of(mixed, x.length()),
                PathLaunches.Matrix.of(transposed(y), leading),
                PathLaunches.Matrix.of(c, leading),
                x.count(),
                leading,
                x.length(),
                1);
            narrow(c, x.count(), y.count(), leading, out);
          }
          return null;
        });
    if (rows == columns) {
      int count = x.count();
      for (int a = 0; a < count; a++) {
        for (int b = 0; b < a; b++) {
          out[b * count + a] = out[a * count + b];
        }
      }
    }
  }

  @Override
  public void contract(PathFeatures features, double[] m, double[] out) {
    ClFeatures x = (ClFeatures) features;
    int n = x.paths();
    int parts = (x.count() + PathKernels.PART - 1) / PathKernels.PART;
    double[] sums =
        get(
            "a kernel's derivative",
            () -> {
              try (DeviceBuffer matrix = allocate("weights", (long) x.count() * x.count());
                  DeviceBuffer y = allocate("weighted features", (long) x.count() * x.length());
                  DeviceBuffer gram = allocate("derivative", (long) parts * n * n)) {
                write(matrix, m, 0, x.count(), x.count(), x.count());
                launches.product(
                    PathLaunches.Matrix.of(matrix, x.count()),
                    PathLaunches.Matrix.of(x.values(), x.length()),
                    PathLaunches.Matrix.of(y, x.length()),
                    x.count(),
                    x.length(),
                    x.count(),
                    1);
                launches.gram(x.values(), y, gram, x.count(), n, x.padded(), parts);
                return read(gram, parts * n * n);
              }
            });
    for (int p = 0; p < n; p++) {
      for (int q = 0; q <= p; q++) {
        double sum = 0;
        for (int part = 0; part < parts; part++) {
          sum += (sums[(part * n + p) * n + q] + sums[(part * n + q) * n + p]) / 2;
        }
        out[p * n + q] = sum;
        out[q * n + p] = sum;
      }
    }
  }

  @Override
  public void close() {
    session.close();
  }

  private static final class ClFeatures implements PathFeatures {
    private final int count;
    private final int paths;
    private final int width;
    private final int padded;
    private final DeviceBuffer values;
    private DeviceBuffer transposed;

    ClFeatures(int count, int paths, int width, int padded, DeviceBuffer values) {
      this.count = count;
      this.paths = paths;
      this.width = width;
      this.padded = padded;
      this.values = values;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public int paths() {
      return paths;
    }

    @Override
    public int width() {
      return width;
    }

    int padded() {
      return padded;
    }

    /** Numbers of an example. */
    int length() {
      return paths * padded;
    }

    DeviceBuffer values() {
      return values;
    }

    @Override
    public void close() {
      values.close();
      if (transposed != null) {
        transposed.close();
      }
    }
  }
}
