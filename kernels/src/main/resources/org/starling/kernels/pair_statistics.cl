/*
 * pair_statistics: smallest, mean and largest cosine of pairs i != j, and their histogram.
 *
 *   x       [R][n][D]           positions
 *   keys    [R][groups][D][NR]  packed positions (pack.cl)
 *   norm    [R][groups NR]      norms (norms.cl)
 *   extreme [units][4]          smallest, largest, sum (two numbers, unevaluated) of the unit's cosines
 *   counts  [units][bins]       histogram of the unit over equal bins of [-1, 1], last one closed
 *
 * A unit is a block of BM rows of one replica (units: R ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: BM (D + BN) numbers. Defines: those of
 * blocks.cl with TILE PRODUCT. Deterministic: the host adds the units in order.
 */
__kernel void pair_statistics(
    __global const REAL *x,
    __global const REAL *keys,
    __global const REAL *norm,
    __global REAL *extreme,
    __global int *counts,
    int n,
    int bins,
    ulong firstUnit,
    ulong endUnit) {
  PAIR_BLOCK_BEGIN
  x += (size_t)slot * n * D;
  keys += (size_t)slot * padded * D;
  norm += (size_t)slot * padded;
  counts += unit * bins;
  for (int b = 0; b < bins; b++) {
    counts[b] = 0;
  }
  prepareBlock(x, row0, n, 0, 1, x, groups, work, q, self);
  REAL smallest = INFINITY, largest = NEGATIVE_INFINITY;
  TWO sum = (TWO)(0);
  for (int panel = 0; panel < n; panel += BN) {
    int panelEnd = min(panel + BN, n) - 1;
    scoreBlock(q, keys, panel, panelEnd, groups, first, last, s);
    for (int r = 0; r < rows; r++) {
      REAL own = norm[row0 + r];
      REAL part = 0;
      for (int j = panel; j <= panelEnd; j++) {
        if (j == row0 + r) {
          continue;
        }
        REAL cosine = s[r * BN + j - panel] / (own * norm[j]);
        part += cosine;
        /* A NaN is neither smaller nor larger, but it stays once it is in. */
        smallest = cosine >= smallest ? smallest : cosine;
        largest = cosine <= largest ? largest : cosine;
        if (cosine == cosine) {
          int b = (int)((cosine + 1) * ((REAL)0.5 * bins));
          counts[clamp(b, 0, bins - 1)]++;
        }
      }
      TWO t = twoSum(sum.hi, part);
      sum.hi = t.hi;
      sum.lo += t.lo;
    }
  }
  extreme[unit * 4] = smallest;
  extreme[unit * 4 + 1] = largest;
  extreme[unit * 4 + 2] = sum.hi;
  extreme[unit * 4 + 3] = sum.lo;
}
