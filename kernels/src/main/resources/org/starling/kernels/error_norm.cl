/*
 * error_norm: largest over 4 tokens of |sum_m c_m k_m,i| / (atol + rtol max(|x_i|, |y_i|)), Euclidean
 * norms; NaN if any entry is not finite. The host takes the largest of a replica's parts in order.
 *
 * Shapes: x, y state [R][n][d], values only; k_m [R][n][d]; active uchar [R]; part real
 *   [R][ceil(n/4)].
 * Units: one part. One work-item a unit, no local memory, deterministic.
 */
static real position_norm(__global const real *x, int d) {
  real largest = 0;
  for (int a = 0; a < d; a++) {
    largest = larger(largest, fabs(x[a]));
  }
  int exponent = norm_exponent(largest);
  pair squares = (pair)(0, 0);
  for (int a = 0; a < d; a++) {
    squares = add_square(squares, (pair)(x[a], (real)0), exponent);
  }
  return norm_of(largest, squares, exponent);
}

static real combination_norm(ulong at, ulong r, int d, FIELDS) {
  pair zero = (pair)(0, 0);
  real largest = 0;
  for (int a = 0; a < d; a++) {
    largest = larger(largest, fabs(COMBINED(zero, at + a, r).x));
  }
  int exponent = norm_exponent(largest);
  pair squares = zero;
  for (int a = 0; a < d; a++) {
    squares = add_square(squares, COMBINED(zero, at + a, r), exponent);
  }
  return norm_of(largest, squares, exponent);
}

__kernel void error_norm(__global const real *x, __global const real *y, FIELDS,
                         __global const uchar *active, __global real *part, real atol, real rtol,
                         int n, int d, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_STEP_ITEM - 1) / TOKENS_PER_STEP_ITEM;
  ulong r = u / parts;
  if (!active[r]) return;
  ulong from = (u - r * parts) * TOKENS_PER_STEP_ITEM;
  ulong to = min(from + TOKENS_PER_STEP_ITEM, (ulong)n);
  real largest = 0;
  for (ulong i = from; i < to; i++) {
    ulong at = (r * (ulong)n + i) * (ulong)d;
    real size = larger(position_norm(x + at, d), position_norm(y + at, d));
    real error = combination_norm(at, r, d, FIELD_NAMES);
    real ratio = error / (atol + rtol * size);
    // An infinite size would make any error look like 0.
    largest = larger(largest, isfinite(size) && isfinite(ratio) ? ratio : (real)NAN);
  }
  part[u] = largest;
}
