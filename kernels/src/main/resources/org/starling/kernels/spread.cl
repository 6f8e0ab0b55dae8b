/*
 * spread: smallest, sum and largest over 16 tokens of |x_i| (FROM_FIRST = 0) or of the distance
 * |x_i - x_1| to the replica's first token (FROM_FIRST = 1). NaN if one of them is NaN. The sum is a
 * pair; the host adds a replica's parts in order in float64.
 *
 * Shapes: x state [R][n][d]; part real [R][ceil(n/16)][4] = smallest, sum, its correction, largest.
 * Units: one part. One work-item a unit, no local memory, deterministic.
 */
#if FROM_FIRST
#define VALUE(a) subtract(READ(x, at + (a)), READ(x, origin + (a)))
#else
#define VALUE(a) READ(x, at + (a))
#endif

__kernel void spread(CONST_STATE(x), __global real *part, int n, int d, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_ITEM - 1) / TOKENS_PER_ITEM;
  ulong r = u / parts;
  ulong from = (u - r * parts) * TOKENS_PER_ITEM;
  ulong to = min(from + TOKENS_PER_ITEM, (ulong)n);
#if FROM_FIRST
  ulong origin = r * (ulong)n * (ulong)d;
#endif
  real least = INFINITY;
  real most = -INFINITY;
  pair sum = (pair)(0, 0);
  for (ulong i = from; i < to; i++) {
    ulong at = (r * (ulong)n + i) * (ulong)d;
    real top = 0;
    for (int a = 0; a < d; a++) {
      top = larger(top, fabs(VALUE(a).x));
    }
    int exponent = norm_exponent(top);
    pair squares = (pair)(0, 0);
    for (int a = 0; a < d; a++) {
      squares = add_square(squares, VALUE(a), exponent);
    }
    real norm = norm_of(top, squares, exponent);
    least = smaller(least, norm);
    most = larger(most, norm);
    sum = add(sum, (pair)(norm, (real)0));
  }
  part[4 * u] = least;
  part[4 * u + 1] = sum.x;
  part[4 * u + 2] = sum.y;
  part[4 * u + 3] = most;
}
