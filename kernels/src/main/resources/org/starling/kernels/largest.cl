/*
 * largest: largest |v_i| over 4 tokens and the first token that has it; NaN and the first such token
 * if a norm is not finite. The host goes over a replica's parts in order.
 *
 * Shapes: v field [R][n][d]; active uchar [R]; part real [R][ceil(n/4)]; token int, likewise.
 * Units: one part. One work-item a unit, no local memory, deterministic.
 */
__kernel void largest(__global const real *v, __global const uchar *active, __global real *part,
                      __global int *token, int n, int d, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_STEP_ITEM - 1) / TOKENS_PER_STEP_ITEM;
  ulong r = u / parts;
  if (!active[r]) return;
  ulong from = (u - r * parts) * TOKENS_PER_STEP_ITEM;
  ulong to = min(from + TOKENS_PER_STEP_ITEM, (ulong)n);
  real best = -1;
  int which = (int)from;
  for (ulong i = from; i < to; i++) {
    __global const real *vi = v + (r * (ulong)n + i) * (ulong)d;
    real top = 0;
    for (int a = 0; a < d; a++) {
      top = larger(top, fabs(vi[a]));
    }
    int exponent = norm_exponent(top);
    pair squares = (pair)(0, 0);
    for (int a = 0; a < d; a++) {
      squares = add_square(squares, (pair)(vi[a], (real)0), exponent);
    }
    real speed = norm_of(top, squares, exponent);
    // The first NaN stays: nothing compares greater than it.
    if (speed > best || (!isfinite(speed) && isfinite(best))) {
      best = isfinite(speed) ? speed : (real)NAN;
      which = (int)i;
    }
  }
  part[u] = best;
  token[u] = which;
}
