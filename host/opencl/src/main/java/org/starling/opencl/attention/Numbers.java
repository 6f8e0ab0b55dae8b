package org.starling.opencl.attention;

import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * Numbers of the working precision.
 *
 * @param fp64 float64 rather than float32
 */
record Numbers(boolean fp64) {
  int bytes() {
    return fp64 ? 8 : 4;
  }

  /** The nearest number of the working precision. */
  double round(double v) {
    return fp64 ? v : (float) v;
  }

  /** Writes values, rounded to the working precision, from number {@code at} on. */
  void write(DeviceBuffer to, long at, double[] values) {
    if (fp64) {
      to.write(8 * at, values, 0, values.length);
    } else {
      float[] f = new float[values.length];
      for (int i = 0; i < f.length; i++) {
        f[i] = (float) values[i];
      }
      to.write(4 * at, f, 0, f.length);
    }
  }

  double[] read(DeviceBuffer from, long at, int count) {
    double[] values = new double[count];
    if (fp64) {
      from.read(8 * at, values, 0, count);
    } else {
      float[] f = new float[count];
      from.read(4 * at, f, 0, count);
      for (int i = 0; i < count; i++) {
        values[i] = f[i];
      }
    }
    return values;
  }

  Call argument(Call call, double value) {
    return fp64 ? call.float64(value) : call.float32((float) value);
  }
}
