/*
 * key_shift: largest over 4 tokens of |x_i - x_l|, where l leads the group of token i; NaN if one of
 * them is. The host takes the largest of a replica's parts.
 *
 * Shapes: x state [R][n][d]; leader int [R][n]; active uchar [R]; part real [R][ceil(n/4)].
 * Units: one part. One work-item a unit, no local memory, deterministic.
 * Defines: PRECISION_*, LANES.
 */

/* Coordinates of x_i - x_l: near tokens' values differ exactly, their corrections are added after. */
static VEC offset(CONST_STATE(x), ulong at, ulong origin, int count) {
  VEC value = load_some(x + at, count) - load_some(x + origin, count);
  return value + (LOAD_LOW(x, at, count) - LOAD_LOW(x, origin, count));
}

#ifdef PRECISION_MIXED
#define OFFSET(at, origin, count) offset(x, x_low, at, origin, count)
#else
#define OFFSET(at, origin, count) offset(x, at, origin, count)
#endif

/* A distance whose square is far from 1, scaled by a power of two; most often 0. */
static real scaled_distance(CONST_STATE(x), ulong at, ulong origin, int d) {
  real top = 0;
  for (int a = 0; a < d; a += LANES) {
    VEC e = fabs(OFFSET(at + a, origin + a, min(LANES, d - a)));
    top = larger(top, largest_of_lanes(e));
  }
  int exponent = norm_exponent(top);
  real scale = ldexp((real)1, -exponent);
  VEC squares = (VEC)(0);
  for (int a = 0; a < d; a += LANES) {
    VEC e = OFFSET(at + a, origin + a, min(LANES, d - a)) * scale;
    squares += e * e;
  }
  return norm_of(top, (pair)(sum_of_lanes(squares), (real)0), exponent);
}

#ifdef PRECISION_MIXED
#define SCALED_DISTANCE(at, origin, d) scaled_distance(x, x_low, at, origin, d)
#else
#define SCALED_DISTANCE(at, origin, d) scaled_distance(x, at, origin, d)
#endif

__kernel void key_shift(CONST_STATE(x), __global const int *leader, __global const uchar *active,
                        __global real *part, int n, int d, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_STEP_ITEM - 1) / TOKENS_PER_STEP_ITEM;
  ulong r = u / parts;
  if (!active[r]) return;
  ulong from = (u - r * parts) * TOKENS_PER_STEP_ITEM;
  ulong to = min(from + TOKENS_PER_STEP_ITEM, (ulong)n);
  real farthest = 0;
  for (ulong i = from; i < to; i++) {
    ulong at = (r * (ulong)n + i) * (ulong)d;
    ulong origin = (r * (ulong)n + (ulong)leader[r * (ulong)n + i]) * (ulong)d;
    VEC squares = (VEC)(0);
    for (int a = 0; a < d; a += LANES) {
      VEC e = OFFSET(at + a, origin + a, min(LANES, d - a));
      squares += e * e;
    }
    real square = sum_of_lanes(squares);
    farthest = larger(farthest, ORDINARY(square) ? sqrt(square) : SCALED_DISTANCE(at, origin, d));
  }
  part[u] = farthest;
}
