/*
 * non_finite: number of coordinates among 16 tokens that are infinite or NaN, and the first token with
 * one (-1 if none). The host adds a replica's parts.
 *
 * Shapes: x state [R][n][d]; part int [R][ceil(n/16)][2] = count, token.
 * Defines: PRECISION_*, LANES.
 * Units: one part. One work-item a unit, no local memory, deterministic.
 */
__kernel void non_finite(CONST_STATE(x), __global int *part, int n, int d, ulong first,
                         ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_ITEM - 1) / TOKENS_PER_ITEM;
  ulong r = u / parts;
  ulong from = (u - r * parts) * TOKENS_PER_ITEM;
  ulong to = min(from + TOKENS_PER_ITEM, (ulong)n);
  VEC zeros = (VEC)(0);
  ulong last = (r * (ulong)n + to) * (ulong)d;
  for (ulong at = (r * (ulong)n + from) * (ulong)d; at < last; at += LANES) {
    int some = (int)min((ulong)LANES, last - at);
    zeros += (load_some(x + at, some) + LOAD_LOW(x, at, some)) * (real)0;
  }
  int count = 0;
  int token = -1;
  // 0 times an infinity or NaN is NaN.
  for (ulong i = sum_of_lanes(zeros) == (real)0 ? to : from; i < to; i++) {
    ulong at = (r * (ulong)n + i) * (ulong)d;
    for (int a = 0; a < d; a++) {
      pair v = READ(x, at + a);
      if (!isfinite(v.x + v.y)) {
        count++;
        token = token < 0 ? (int)i : token;
      }
    }
  }
  part[2 * u] = count;
  part[2 * u + 1] = token;
}
