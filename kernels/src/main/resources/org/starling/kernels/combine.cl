/*
 * combine: out_r = x_r + sum_m c_mr k_mr for active replicas, terms added in order, every sum kept as
 * a pair and rounded once at the end (mixed: value and correction are both kept).
 *
 * Shapes: out, x state [R][n][d] (may be the same buffer); k_m [R][n][d]; coefficients pair [R][8];
 *   active uchar [R]; size = n d.
 * Units: one coordinate, R n d of them. One work-item a unit, no local memory, deterministic.
 */
__kernel void combine(STATE(out), CONST_STATE(x), FIELDS, __global const uchar *active,
                      int replicas, ulong size, ulong first, ulong end) {
  ulong i = first + get_global_id(0);
  if (i >= end) return;
  ulong r = replicas == 1 ? 0 : i / size;
  if (!active[r]) return;
  pair sum = COMBINED(READ(x, i), i, r);
  WRITE(out, i, sum);
}
