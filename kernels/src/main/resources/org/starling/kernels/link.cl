/*
 * link: the lowest label among each token's linked tokens and its own.
 *
 *   x, keys  positions and packed positions (pack.cl)
 *   norm     [R][groups NR]  norms (norms.cl)
 *   label    [R][groups NR]  labels, any value from n on
 *   lowest   [R][groups NR]  result
 *   cosine 1: linked if the cosine exceeds 1 - threshold; 0: if the distance is below threshold
 *
 * A unit is a block of BM rows of one replica (units: R ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: BM (D + BN) numbers. Defines: those of
 * blocks.cl with TILE DISTANCE. Deterministic, and (i, j) is linked exactly when (j, i) is.
 *
 * From distances: 1 - cos = (|x - y|^2 - (|x| - |y|)^2) / (2 |x| |y|), accurate for near tokens where
 * 1 - <x, y> has lost its digits.
 */
__kernel void link(
    __global const REAL *x,
    __global const REAL *keys,
    __global const REAL *norm,
    __global const int *label,
    __global int *lowest,
    REAL threshold,
    int cosine,
    int n,
    ulong firstUnit,
    ulong endUnit) {
  PAIR_BLOCK_BEGIN
  x += (size_t)slot * n * D;
  keys += (size_t)slot * padded * D;
  norm += (size_t)slot * padded;
  label += (size_t)slot * padded;
  lowest += (size_t)slot * padded;
  prepareBlock(x, row0, n, 0, 1, x, groups, work, q, self);
  IVEC best[BM];
  for (int r = 0; r < rows; r++) {
    best[r] = (IVEC)(label[row0 + r]);
  }
  for (int panel = 0; panel < n; panel += BN) {
    int panelEnd = min(panel + BN, n) - 1;
    scoreBlock(q, keys, panel, panelEnd, groups, first, last, s);
    for (int r = 0; r < rows; r++) {
      VEC own = (VEC)(norm[row0 + r]);
      for (int j = panel; j <= panelEnd; j += VW) {
        VEC squared = LOADV(s + r * BN + j - panel);
        IVEC linked;
        if (cosine) {
          VEC other = LOADV(norm + j);
          VEC gap = own - other;
          VEC product = own * other;
          VEC allowed = (VEC)(2 * threshold) * product;
          linked = (squared - gap * gap < allowed) & (product > (VEC)(0));
        } else {
          linked = sqrt(squared) < (VEC)(threshold);
        }
        IVEC key = (IVEC)(j) + LANES;
        linked &= key < (IVEC)(n);
        IVEC candidate = LOADI(label + j);
        linked &= candidate < best[r];
        best[r] = linked ? candidate : best[r];
      }
    }
  }
  for (int r = 0; r < rows; r++) {
    INTR lanes[VW];
    STOREIV(best[r], lanes);
    INTR low = lanes[0];
    for (int l = 1; l < VW; l++) {
      low = min(low, lanes[l]);
    }
    lowest[row0 + r] = (int)low;
  }
}
