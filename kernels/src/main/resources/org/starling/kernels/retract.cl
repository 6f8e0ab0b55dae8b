/*
 * retract: x_i = from_i / |from_i| for active replicas. Norm, inverse root and product are kept as pairs,
 * so that |x_i| = 1 to the last digit the state holds. A token of norm 0, or with a coordinate that is
 * not finite, becomes NaN throughout.
 *
 * The inverse root: one Newton step r + r (1 - s r^2) / 2 from the working-precision root doubles its
 * digits.
 *
 * Shapes: x, from state [R][n][d] (may be the same buffer); active uchar [R].
 * Units: one token, R n of them; CHUNK of them a work-item. No local memory, deterministic.
 * Defines: PRECISION_*, LANES, CHUNK.
 */
#ifdef PRECISION_DOUBLE
#define USUAL_LOW 0x1p-200
#define USUAL_HIGH 0x1p200
#else
#define USUAL_LOW 0x1p-20f
#define USUAL_HIGH 0x1p40f
#endif

static pair sum_of_pairs(pairs v) {
  real x[LANES];
  real y[LANES];
  STORE(v.x, x);
  STORE(v.y, y);
  pair sum = (pair)(x[0], y[0]);
  for (int l = 1; l < LANES; l++) {
    sum = add(sum, (pair)(x[l], y[l]));
  }
  return sum;
}

__kernel void retract(STATE(x), CONST_STATE(from), __global const uchar *active, int n, int d,
                      ulong first, ulong end) {
  ulong i = first + get_global_id(0) * CHUNK;
  ulong to = min(i + CHUNK, end);
  for (; i < to; i++) {
    if (!active[i / (ulong)n]) continue;
    ulong at = i * (ulong)d;
    VEC tops = (VEC)(0);
    for (int a = 0; a < d; a += LANES) {
      VEC v = fabs(load_some(from + at + a, min(LANES, d - a)));
      tops = ((v > tops) | (v != v)) ? v : tops;
    }
    real largest = largest_of_lanes(tops);
    int defined = largest > (real)0 && !isinf(largest);
    // Squares of ordinary numbers need no scaling; a power of two changes no bits.
    int exponent = defined && (largest < USUAL_LOW || largest > USUAL_HIGH) ? norm_exponent(largest) : 0;
    VEC scale = (VEC)(ldexp((real)1, -exponent));
    pairs squares = no_pairs();
    for (int a = 0; defined && a < d; a += LANES) {
      int count = min(LANES, d - a);
      pairs v;
      v.x = load_some(from + at + a, count) * scale;
      v.y = LOAD_LOW(from, at + a, count) * scale;
      squares = add_lanes(squares, multiply_lanes(v, v));
    }
    pair sum = sum_of_pairs(squares);
    real root = (real)1 / sqrt(sum.x);
    pair t = multiply(exact_product(root, root), sum);
    real residual = ((real)1 - t.x) - t.y;
    pair scalar = ordered_sum(root, (real)0.5 * root * residual);
    pairs inverse;
    inverse.x = (VEC)(defined ? scalar.x : (real)NAN);
    inverse.y = (VEC)(defined ? scalar.y : (real)NAN);
    for (int a = 0; a < d; a += LANES) {
      int count = min(LANES, d - a);
      pairs v;
      v.x = load_some(from + at + a, count) * scale;
      v.y = LOAD_LOW(from, at + a, count) * scale;
      v = multiply_lanes(v, inverse);
      store_some(v.x, x + at + a, count);
      STORE_LOW(v.y, x, at + a, count);
    }
  }
}
