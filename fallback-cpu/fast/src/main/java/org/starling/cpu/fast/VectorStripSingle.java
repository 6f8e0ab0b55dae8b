package org.starling.cpu.fast;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.starling.core.model.Mask;

/** A strip in float32 by the Vector API, two vectors of rows wide. */
final class VectorStripSingle implements Strip {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;

  /** Rows in a vector. */
  private static final int W = S.length();

  /** Rows in a strip. */
  static final int WIDTH = 2 * W;

  /** Tiles of eight need more registers than machines with shorter vectors have. */
  private static final boolean EIGHT = S.vectorBitSize() >= 512;

  private final TokensSingle tokens;
  private final float[] queries;
  private final Form form;
  private final int d;

  /** Queries {@code [d][WIDTH]}. */
  private final float[] y;

  /** Positions of the rows {@code [d][WIDTH]}, where differences are formed. */
  private final float[] x;

  /** Scores, then weights, {@code [PANEL][WIDTH]}. */
  private final float[] s = new float[PANEL * WIDTH];

  private final float[] acc;
  private final double[] off = new double[WIDTH];
  private final float[] max = new float[WIDTH];
  private final float[] shift = new float[WIDTH];
  private final float[] factor = new float[WIDTH];
  private final float[] sum = new float[WIDTH];
  private int first;
  private int rows;

  VectorStripSingle(TokensSingle tokens, float[] queries, Form form) {
    this.tokens = tokens;
    this.queries = queries;
    this.form = form;
    this.d = tokens.d();
    this.y = new float[d * WIDTH];
    this.x = new float[form.relativeScores() ? d * WIDTH : 0];
    this.acc = new float[d * WIDTH];
  }

  @Override
  public void begin(int from, int rows) {
    this.first = from;
    this.rows = rows;
    transpose(queries, y);
    if (form.relativeScores()) {
      transpose(tokens.x(), x);
    }
    Arrays.fill(acc, 0);
    Arrays.fill(off, 0);
    Arrays.fill(max, Float.NEGATIVE_INFINITY);
  }

  /** Rows that are not there are 0. */
  private void transpose(float[] from, float[] to) {
    if (rows < WIDTH) {
      Arrays.fill(to, 0);
    }
    for (int r = 0; r < rows; r++) {
      int at = (first + r) * d;
      for (int c = 0; c < d; c++) {
        to[c * WIDTH + r] = from[at + c];
      }
    }
  }

  @Override
  public void scores(int key, int count, int r0, int r1) {
    float[] keys = tokens.keys();
    int k = 0;
    if (form.relativeScores()) {
      for (; k + 4 <= count; k += 4) {
        VectorDifferencesSingle.relative4(keys, (key + k) * d, d, y, x, s, k * WIDTH);
      }
      for (; k < count; k++) {
        VectorDifferencesSingle.relative1(keys, (key + k) * d, d, y, x, s, k * WIDTH);
      }
      return;
    }
    if (EIGHT) {
      for (; k + 8 <= count; k += 8) {
        VectorTilesSingle.scores8(keys, (key + k) * d, d, y, s, k * WIDTH);
      }
    }
    for (; k + 4 <= count; k += 4) {
      VectorTilesSingle.scores4(keys, (key + k) * d, d, y, s, k * WIDTH);
    }
    for (; k < count; k++) {
      VectorTilesSingle.scores1(keys, (key + k) * d, d, y, s, k * WIDTH);
    }
  }

  @Override
  public void bias(Mask mask, int key, int count, int r0, int r1) {
    for (int k = 0; k < count; k++) {
      for (int r = r0; r < r1; r++) {
        s[k * WIDTH + r] += (float) mask.bias(first + r, key + k);
      }
    }
  }

  @Override
  public void hide(int r, int k0, int k1) {
    for (int k = k0; k < k1; k++) {
      s[k * WIDTH + r] = Float.NEGATIVE_INFINITY;
    }
  }

  @Override
  public double score(int k, int r) {
    return s[k * WIDTH + r];
  }

  @Override
  public void weights(int count, int r0, int r1) {
    for (int r = 0; r < r0; r++) {
      hide(r, 0, count);
    }
    for (int r = r1; r < rows; r++) {
      hide(r, 0, count);
    }
    System.arraycopy(max, 0, factor, 0, WIDTH);
    raise(count);
    boolean moved = false;
    for (int r = 0; r < WIDTH; r++) {
      // Where no key is alive yet, 0 keeps their weights at 0.
      shift[r] = max[r] == Float.NEGATIVE_INFINITY ? 0 : max[r];
      moved |= max[r] != factor[r];
    }
    if (moved) {
      VectorExpSingle.exp(factor, 0, 1, shift, sum);
      for (int r = 0; r < WIDTH; r++) {
        off[r] *= factor[r];
      }
      VectorTilesSingle.scale(acc, d, factor);
    }
    for (int k = 0; k < count; k += PART) {
      VectorExpSingle.exp(s, k, Math.min(count, k + PART), shift, sum);
      for (int r = 0; r < WIDTH; r++) {
        off[r] += sum[r];
      }
    }
  }

  /** Raises the maxima to the scores of the panel. A NaN raises none; it reaches the sums. */
  private void raise(int count) {
    FloatVector a0 = FloatVector.fromArray(S, max, 0);
    FloatVector a1 = FloatVector.fromArray(S, max, W);
    FloatVector b0 = a0;
    FloatVector b1 = a1;
    int end = count * WIDTH;
    int o = 0;
    // Two keys at a time: a comparison has to wait for the one before.
    for (; o + 2 * WIDTH <= end; o += 2 * WIDTH) {
      FloatVector v = FloatVector.fromArray(S, s, o);
      a0 = a0.blend(v, v.compare(VectorOperators.GT, a0));
      v = FloatVector.fromArray(S, s, o + W);
      a1 = a1.blend(v, v.compare(VectorOperators.GT, a1));
      v = FloatVector.fromArray(S, s, o + WIDTH);
      b0 = b0.blend(v, v.compare(VectorOperators.GT, b0));
      v = FloatVector.fromArray(S, s, o + WIDTH + W);
      b1 = b1.blend(v, v.compare(VectorOperators.GT, b1));
    }
    if (o < end) {
      FloatVector v = FloatVector.fromArray(S, s, o);
      b0 = b0.blend(v, v.compare(VectorOperators.GT, b0));
      v = FloatVector.fromArray(S, s, o + W);
      b1 = b1.blend(v, v.compare(VectorOperators.GT, b1));
    }
    a0.blend(b0, b0.compare(VectorOperators.GT, a0)).intoArray(max, 0);
    a1.blend(b1, b1.compare(VectorOperators.GT, a1)).intoArray(max, W);
  }

  @Override
  public void values(int key, int count, int r0, int r1) {
    for (int k = 0; k < count; k += PART) {
      int at = (key + k) * d;
      if (form == Form.DIFFERENCES) {
        differences(at, k, Math.min(count, k + PART));
      } else {
        products(at, k, Math.min(count, k + PART));
      }
    }
  }

  private void products(int at, int k0, int k1) {
    float[] values = tokens.values();
    int c = 0;
    if (EIGHT) {
      for (; c + 8 <= d; c += 8) {
        VectorTilesSingle.values8(values, at + c, d, s, k0, k1, acc, c * WIDTH);
      }
    }
    for (; c + 4 <= d; c += 4) {
      VectorTilesSingle.values4(values, at + c, d, s, k0, k1, acc, c * WIDTH);
    }
    for (; c < d; c++) {
      VectorTilesSingle.values1(values, at + c, d, s, k0, k1, acc, c * WIDTH);
    }
  }

  private void differences(int at, int k0, int k1) {
    float[] values = tokens.values();
    int c = 0;
    for (; c + 4 <= d; c += 4) {
      VectorDifferencesSingle.differences4(values, at + c, d, s, k0, k1, x, acc, c * WIDTH);
    }
    for (; c < d; c++) {
      VectorDifferencesSingle.differences1(values, at + c, d, s, k0, k1, x, acc, c * WIDTH);
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
        row.acc[c] += acc[c * WIDTH + r];
      }
    }
    Arrays.fill(acc, 0);
    Arrays.fill(off, 0);
  }
}
