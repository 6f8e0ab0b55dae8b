package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.model.Mask;

/**
 * A strip in float64 by plain loops over its rows. A strip is hundreds of rows wide and every key
 * and coordinate has an array of its own, since that is what the compiler turns into vectors.
 */
final class PlainStripDouble implements Strip {
  /** Coordinates whose queries stay in a cache while the keys of a panel pass. */
  private static final int CHUNK = 64;

  private final TokensDouble tokens;
  private final double[] queries;
  private final Form form;
  private final int d;

  /** Queries {@code [d][width]}. */
  private final double[][] y;

  /** Positions of the rows {@code [d][width]}, where differences are formed. */
  private final double[][] x;

  /** Scores, then weights, {@code [PANEL][width]}. */
  private final double[][] s;

  private final double[][] acc;

  /** Sums of one panel. */
  private final double[][] part;

  private final double[] off;
  private final double[] max;
  private final double[] shift;
  private final double[] factor;
  private final double[] scratch;
  private int first;
  private int rows;

  PlainStripDouble(TokensDouble tokens, double[] queries, Form form, int width) {
    this.tokens = tokens;
    this.queries = queries;
    this.form = form;
    this.d = tokens.d();
    this.y = new double[d][width];
    this.x = new double[form.relativeScores() ? d : 0][width];
    this.s = new double[PANEL][width];
    this.acc = new double[d][width];
    this.part = new double[4][width];
    this.off = new double[width];
    this.max = new double[width];
    this.shift = new double[width];
    this.factor = new double[width];
    this.scratch = new double[width];
  }

  @Override
  public void begin(int from, int rows) {
    this.first = from;
    this.rows = rows;
    transpose(queries, y);
    if (form.relativeScores()) {
      transpose(tokens.x(), x);
    }
    for (double[] a : acc) {
      Arrays.fill(a, 0);
    }
    Arrays.fill(off, 0);
    Arrays.fill(max, Double.NEGATIVE_INFINITY);
  }

  private void transpose(double[] from, double[][] to) {
    for (int r = 0; r < rows; r++) {
      int at = (first + r) * d;
      for (int c = 0; c < d; c++) {
        to[c][r] = from[at + c];
      }
    }
  }

  @Override
  public void scores(int key, int count, int r0, int r1) {
    double[] keys = tokens.keys();
    for (int k = 0; k < count; k++) {
      Arrays.fill(s[k], r0, r1, 0);
    }
    for (int c0 = 0; c0 < d; c0 += CHUNK) {
      int c1 = Math.min(d, c0 + CHUNK);
      if (form.relativeScores()) {
        for (int k = 0; k < count; k++) {
          for (int c = c0; c < c1; c++) {
            PlainLoopsDouble.addRelative(s[k], keys[(key + k) * d + c], x[c], y[c], r0, r1);
          }
        }
      } else {
        products(keys, key * d, count, c0, c1, r0, r1);
      }
    }
  }

  /** s_k += sum_c x_kc y_c over some coordinates. */
  private void products(double[] keys, int at, int count, int c0, int c1, int r0, int r1) {
    int k = 0;
    for (; k + 4 <= count; k += 4) {
      int c = c0;
      for (; c + 2 <= c1; c += 2) {
        PlainLoopsDouble.add(s, k, keys, at + k * d + c, d, 1, y[c], y[c + 1], r0, r1);
      }
      for (; c < c1; c++) {
        for (int m = k; m < k + 4; m++) {
          PlainLoopsDouble.add(s[m], keys[at + m * d + c], y[c], r0, r1);
        }
      }
    }
    for (; k < count; k++) {
      for (int c = c0; c < c1; c++) {
        PlainLoopsDouble.add(s[k], keys[at + k * d + c], y[c], r0, r1);
      }
    }
  }

  @Override
  public void bias(Mask mask, int key, int count, int r0, int r1) {
    for (int k = 0; k < count; k++) {
      for (int r = r0; r < r1; r++) {
        s[k][r] += (double) mask.bias(first + r, key + k);
      }
    }
  }

  @Override
  public void hide(int r, int k0, int k1) {
    for (int k = k0; k < k1; k++) {
      s[k][r] = Double.NEGATIVE_INFINITY;
    }
  }

  @Override
  public double score(int k, int r) {
    return s[k][r];
  }

  @Override
  public void weights(int count, int r0, int r1) {
    System.arraycopy(max, r0, factor, r0, r1 - r0);
    for (int k = 0; k < count; k++) {
      PlainLoopsDouble.raise(max, s[k], r0, r1);
    }
    boolean moved = false;
    for (int r = r0; r < r1; r++) {
      // Where no key is alive yet, 0 keeps their weights at 0.
      shift[r] = max[r] == Double.NEGATIVE_INFINITY ? 0 : max[r];
      moved |= max[r] != factor[r];
    }
    if (moved) {
      ExpDouble.exp(factor, shift, scratch, r0, r1);
      for (int r = r0; r < r1; r++) {
        off[r] *= factor[r];
      }
      for (int c = 0; c < d; c++) {
        PlainLoopsDouble.multiply(acc[c], factor, r0, r1);
      }
    }
    for (int k0 = 0; k0 < count; k0 += PART) {
      clear(1, r0, r1);
      for (int k = k0; k < Math.min(count, k0 + PART); k++) {
        ExpDouble.exp(s[k], shift, scratch, r0, r1);
        PlainLoopsDouble.add(part[0], 1, s[k], r0, r1);
      }
      for (int r = r0; r < r1; r++) {
        off[r] += part[0][r];
      }
    }
  }

  @Override
  public void values(int key, int count, int r0, int r1) {
    for (int k = 0; k < count; k += PART) {
      if (form == Form.DIFFERENCES) {
        differences(key * d, k, Math.min(count, k + PART), r0, r1);
      } else {
        products(key * d, k, Math.min(count, k + PART), r0, r1);
      }
    }
  }

  private void products(int at, int k0, int k1, int r0, int r1) {
    double[] values = tokens.values();
    int c = 0;
    for (; c + 4 <= d; c += 4) {
      clear(4, r0, r1);
      int k = k0;
      for (; k + 2 <= k1; k += 2) {
        PlainLoopsDouble.add(part, 0, values, at + k * d + c, 1, d, s[k], s[k + 1], r0, r1);
      }
      for (; k < k1; k++) {
        for (int m = 0; m < 4; m++) {
          PlainLoopsDouble.add(part[m], values[at + k * d + c + m], s[k], r0, r1);
        }
      }
      for (int m = 0; m < 4; m++) {
        PlainLoopsDouble.add(acc[c + m], 1, part[m], r0, r1);
      }
    }
    for (; c < d; c++) {
      clear(1, r0, r1);
      for (int k = k0; k < k1; k++) {
        PlainLoopsDouble.add(part[0], values[at + k * d + c], s[k], r0, r1);
      }
      PlainLoopsDouble.add(acc[c], 1, part[0], r0, r1);
    }
  }

  private void differences(int at, int k0, int k1, int r0, int r1) {
    double[] values = tokens.values();
    for (int c = 0; c < d; c++) {
      clear(1, r0, r1);
      for (int k = k0; k < k1; k++) {
        PlainLoopsDouble.addRelative(part[0], values[at + k * d + c], x[c], s[k], r0, r1);
      }
      PlainLoopsDouble.add(acc[c], 1, part[0], r0, r1);
    }
  }

  private void clear(int parts, int r0, int r1) {
    for (int m = 0; m < parts; m++) {
      Arrays.fill(part[m], r0, r1, 0);
    }
  }

  @Override
  public void flush(RowSums[] sums) {
    for (int r = 0; r < rows; r++) {
      RowSums row = sums[r];
      if (max[r] > row.max) {
        row.raise(max[r]);
      }
      row.off += off[r];
      for (int c = 0; c < d; c++) {
        row.acc[c] += acc[c][r];
      }
    }
    for (double[] a : acc) {
      Arrays.fill(a, 0);
    }
    Arrays.fill(off, 0);
  }
}
