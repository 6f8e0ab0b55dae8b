package org.starling.cpu.fast;

import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.starling.core.model.Mask;

/**
 * Rows of one head by strips: panels of keys anchored at token 0, the mask, and the order of sums.
 * The panels of a span are summed in the working precision, spans in float64.
 */
final class StripKernel implements RowKernel {
  private final Supplier<Strip> strips;
  private final Form form;
  private final IntToDoubleFunction self;
  private final int n;
  private final Mask mask;
  private final boolean hardmax;

  /**
   * @param strips makes the working memory of one thread
   * @param self score s_ii of row i, asked where scores are not relative to it
   */
  StripKernel(
      Supplier<Strip> strips,
      Form form,
      IntToDoubleFunction self,
      int n,
      Mask mask,
      boolean hardmax) {
    this.strips = strips;
    this.form = form;
    this.self = self;
    this.n = n;
    this.mask = mask;
    this.hardmax = hardmax;
  }

  @Override
  public Worker worker() {
    Strip strip = strips.get();
    return (from, to, rows) -> sum(strip, from, to, rows);
  }

  private void sum(Strip strip, int from, int to, RowSums[] rows) {
    int first = Integer.MAX_VALUE;
    int last = -1;
    // Keys that every row sees.
    int allFrom = -1;
    int allTo = Integer.MAX_VALUE;
    for (int i = from; i < to; i++) {
      RowSums row = rows[i - from];
      row.live = mask.liveKeys(i, n);
      row.differences = form == Form.DIFFERENCES;
      row.relative = form.relativeScores();
      row.self = row.relative ? 0 : self.applyAsDouble(i);
      first = Math.min(first, mask.firstKey(i));
      last = Math.max(last, mask.lastKey(i, n));
      allFrom = Math.max(allFrom, mask.firstKey(i));
      allTo = Math.min(allTo, mask.lastKey(i, n));
    }
    strip.begin(from, to - from);
    for (int start = first / Strip.PANEL * Strip.PANEL; start <= last; start += Strip.PANEL) {
      // From the start of the panel even where no row sees it: the parts are anchored there.
      int count = Math.min(start + Strip.PANEL - 1, last) - start + 1;
      int end = start + count - 1;
      boolean self = start < to && end >= from;
      if (self || start < allFrom || end > allTo || hardmax || mask.alibi() != 0) {
        panel(strip, from, to, start, count, rows);
      } else {
        strip.scores(start, count, 0, to - from);
        strip.weights(count, 0, to - from);
        strip.values(start, count, 0, to - from);
      }
      if (!hardmax && (start + Strip.PANEL) % Strip.SPAN == 0) {
        strip.flush(rows);
      }
    }
    if (!hardmax) {
      strip.flush(rows);
    }
  }

  private void panel(Strip strip, int from, int to, int key, int count, RowSums[] rows) {
    int end = key + count - 1;
    int r0 = 0;
    int r1 = to - from;
    while (r0 < r1 && dead(from + r0, key, end)) {
      r0++;
    }
    while (r1 > r0 && dead(from + r1 - 1, key, end)) {
      r1--;
    }
    if (r0 == r1) {
      return;
    }
    strip.scores(key, count, r0, r1);
    if (mask.alibi() != 0) {
      strip.bias(mask, key, count, r0, r1);
    }
    for (int r = r0; r < r1; r++) {
      int i = from + r;
      int lo = Math.min(Math.max(mask.firstKey(i) - key, 0), count);
      int hi = Math.max(Math.min(mask.lastKey(i, n) - key + 1, count), lo);
      strip.hide(r, 0, lo);
      strip.hide(r, hi, count);
      if (i >= key && i <= end) {
        strip.hide(r, i - key, i - key + 1);
      }
    }
    if (hardmax) {
      for (int r = r0; r < r1; r++) {
        best(strip, key, count, r, rows[r]);
      }
    } else {
      strip.weights(count, r0, r1);
      strip.values(key, count, r0, r1);
    }
  }

  private boolean dead(int i, int key, int end) {
    return mask.firstKey(i) > end || mask.lastKey(i, n) < key;
  }

  /** The largest score so far and its key, the lowest first; a NaN is kept in the sum. */
  private static void best(Strip strip, int key, int count, int r, RowSums row) {
    for (int k = 0; k < count; k++) {
      double s = strip.score(k, r);
      if (Double.isNaN(s)) {
        row.off = Double.NaN;
      } else if (s > row.max) {
        row.max = s;
        row.best = key + k;
      }
    }
  }
}
