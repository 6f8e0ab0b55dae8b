/*
 * coordinate_sums: sum over 1024 tokens of one coordinate, as a pair. The host adds a replica's parts
 * in order in float64 (order parameter).
 *
 * Shapes: x state [R][n][d]; part pair [R][ceil(n/1024)][d].
 * Units: one part. One work-item a unit, no local memory, deterministic.
 */
#define TOKENS_PER_SUM 1024UL

__kernel void coordinate_sums(CONST_STATE(x), __global pair *part, int n, int d, ulong first,
                              ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong parts = ((ulong)n + TOKENS_PER_SUM - 1) / TOKENS_PER_SUM;
  ulong b = u / (ulong)d;
  ulong a = u - b * (ulong)d;
  ulong r = b / parts;
  ulong from = (b - r * parts) * TOKENS_PER_SUM;
  ulong to = min(from + TOKENS_PER_SUM, (ulong)n);
  pair sum = (pair)(0, 0);
  for (ulong i = from; i < to; i++) {
    sum = add(sum, READ(x, (r * (ulong)n + i) * (ulong)d + a));
  }
  part[u] = sum;
}
