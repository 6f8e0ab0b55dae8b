/*
 * norms: Euclidean norms of tokens, squares summed with their rounding kept.
 *
 * x [R][n][D] positions; norm [R][groups NR] (groups = ceil(n / NR)), 0 from n on.
 * A unit is one entry of norm; one work-item a unit, any work-group size. No local memory.
 * Defines: DOUBLE, VW, D. Deterministic.
 */
__kernel void norms(
    __global const REAL *x, __global REAL *norm, int n, ulong first, ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  int padded = (n + 2 * VW - 1) / (2 * VW) * (2 * VW);
  ulong replica = unit / padded;
  int i = (int)(unit - replica * padded);
  TWO sum = (TWO)(0);
  if (i < n) {
    __global const REAL *token = x + (replica * n + i) * D;
    for (int c = 0; c < D; c++) {
      sum = addProduct(sum, token[c], token[c]);
    }
  }
  norm[unit] = sqrt(sum.hi + sum.lo);
}
