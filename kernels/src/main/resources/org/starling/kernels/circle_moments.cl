/*
 * circle_moments: sums over the keys of each block of u^p z^k; layouts in circle.cl.
 *
 *   x, low   [R][n][2]                  positions, and corrections (MIXED; else not read)
 *   moments  [columns][padded]   for k = 0 .. K and p < powers; 0 up to p < filled; others are not
 *                                      written
 *
 * A unit is VW blocks of one replica, a block a lane (units: ceil(blocks / VW)); one
 * work-item a unit, any work-group size, no local memory. Only the first `keys` tokens count. The keys of a block are
 * added in a fixed order: deterministic, and a block depends on its own tokens only. The powers of z come one
 * from the other, with a relative error that grows like 2^-53 k.
 */
__kernel void circle_moments(
    __global const STATE *x,
    __global const STATE *low,
    __global const double *table,
    __global double *moments,
    int padded,
    int replica,
    int n,
    int keys,
    int powers,
    int filled,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  long block = (long)unit * VW;
  int terms = (int)table[T_TERMS] + 1;
  size_t base = 2 * (size_t)replica * n;
  VEC sums[2 * LIMIT];
  for (int p = 0; p < filled; p++) {
    for (int k = 0; k < 2 * terms; k++) {
      sums[k] = (VEC)(0);
    }
    /* Four tokens at a time, so that no power waits for the one before it. */
    for (int t = 0; t < (p < powers ? BLOCK : 0); t += 4) {
      VEC re[4], im[4], wr[4], wi[4];
#pragma unroll
      for (int s = 0; s < 4; s++) {
        tokens(x + base, low + base, block, t + s, keys, &re[s], &im[s], &wr[s]);
        VEC u = excess(re[s], im[s]);
        wi[s] = (VEC)(0);
        for (int q = 0; q < p; q++) {
          wr[s] *= u;
        }
      }
      for (int k = 0; k < terms; k++) {
        sums[2 * k] += (wr[0] + wr[1]) + (wr[2] + wr[3]);
        sums[2 * k + 1] += (wi[0] + wi[1]) + (wi[2] + wi[3]);
#pragma unroll
        for (int s = 0; s < 4; s++) {
          VEC next = fma(wr[s], re[s], -wi[s] * im[s]);
          wi[s] = fma(wr[s], im[s], wi[s] * re[s]);
          wr[s] = next;
        }
      }
    }
    for (int k = 0; k < terms; k++) {
      size_t column = 2 * (k * ORDERS + p);
      STOREV(sums[2 * k], moments + column * padded + block);
      STOREV(sums[2 * k + 1], moments + (column + 1) * padded + block);
    }
  }
}
