/*
 * error_norm: largest over 4 tokens of |sum_m c_m k_m,i| / (atol + rtol max(|x_i|, |y_i|)),
 * Euclidean norms; NaN if any entry is not finite. The host takes the largest of a
 * replica's parts in order. The combination is summed in working precision: its rounding is no more than
 * that of the fields.
 *
 * Shapes: x, y state [R][n][d], values only; fields and coefficients as in terms.cl; active uchar [R];
 *   part real [R][ceil(n / 4)].
 * Units: one part. One work-item a unit, no local memory, deterministic.
 * Defines: PRECISION_*, LANES.
 */

/* The norm of a token far from 1, scaled by a power of two. */
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

static VEC error_of(ulong at, int count, const pair *c, FIELDS) {
  VEC e = (VEC)(0);
  if (terms > 0) e = fma((VEC)(c[0].x), load_some(k0 + at, count), e);
  if (terms > 1) e = fma((VEC)(c[1].x), load_some(k1 + at, count), e);
  if (terms > 2) e = fma((VEC)(c[2].x), load_some(k2 + at, count), e);
  if (terms > 3) e = fma((VEC)(c[3].x), load_some(k3 + at, count), e);
  if (terms > 4) e = fma((VEC)(c[4].x), load_some(k4 + at, count), e);
  if (terms > 5) e = fma((VEC)(c[5].x), load_some(k5 + at, count), e);
  if (terms > 6) e = fma((VEC)(c[6].x), load_some(k6 + at, count), e);
  if (terms > 7) e = fma((VEC)(c[7].x), load_some(k7 + at, count), e);
  return e;
}

static real combination_norm(ulong at, int d, const pair *c, FIELDS) {
  real largest = 0;
  for (int a = 0; a < d; a += LANES) {
    VEC e = fabs(error_of(at + a, min(LANES, d - a), c, FIELD_NAMES));
    largest = larger(largest, largest_of_lanes(e));
  }
  int exponent = norm_exponent(largest);
  real scale = ldexp((real)1, -exponent);
  VEC squares = (VEC)(0);
  for (int a = 0; a < d; a += LANES) {
    VEC e = error_of(at + a, min(LANES, d - a), c, FIELD_NAMES) * scale;
    squares += e * e;
  }
  return norm_of(largest, (pair)(sum_of_lanes(squares), (real)0), exponent);
}

__kernel void error_norm(__global const real *x, __global const real *y, FIELDS,
                         __global const uchar *active, __global real *part, real atol, real rtol,
                         int n, int d, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_STEP_ITEM - 1) / TOKENS_PER_STEP_ITEM;
  ulong r = u / parts;
  if (!active[r]) return;
  pair c[8];
  coefficients_of(c, r, coefficients, shared, uniform);
  ulong from = (u - r * parts) * TOKENS_PER_STEP_ITEM;
  ulong to = min(from + TOKENS_PER_STEP_ITEM, (ulong)n);
  real largest = 0;
  for (ulong i = from; i < to; i++) {
    ulong at = (r * (ulong)n + i) * (ulong)d;
    VEC xs = (VEC)(0);
    VEC ys = (VEC)(0);
    VEC es = (VEC)(0);
    for (int a = 0; a < d; a += LANES) {
      int count = min(LANES, d - a);
      VEC v = load_some(x + at + a, count);
      xs += v * v;
      v = load_some(y + at + a, count);
      ys += v * v;
      v = error_of(at + a, count, c, FIELD_NAMES);
      es += v * v;
    }
    real before = sum_of_lanes(xs);
    real after = sum_of_lanes(ys);
    real error = sum_of_lanes(es);
    before = ORDINARY(before) ? sqrt(before) : position_norm(x + at, d);
    after = ORDINARY(after) ? sqrt(after) : position_norm(y + at, d);
    error = ORDINARY(error) ? sqrt(error) : combination_norm(at, d, c, FIELD_NAMES);
    real size = larger(before, after);
    real ratio = error / (atol + rtol * size);
    // An infinite size would make any error look like 0.
    int sound = isfinite(size) && isfinite(ratio);
    largest = larger(largest, sound ? ratio : (real)NAN);
  }
  part[u] = largest;
}
