/*
 * combine: out_r = x_r + sum_m c_mr k_mr for active replicas, terms added in order, every sum kept as
 * a pair and rounded once at the end (mixed: value and correction are both kept).
 *
 * Shapes: out, x state [R][n][d] (may be the same buffer); fields and coefficients as in terms.cl;
 *   active uchar [R]; size = n d.
 * Units: one coordinate, R n d of them; CHUNK of them a work-item. No local memory, deterministic.
 * Defines: PRECISION_*, LANES, CHUNK (1 on GPUs).
 */
__kernel void combine(STATE(out), CONST_STATE(x), FIELDS, __global const uchar *active,
                      int replicas, ulong size, ulong first, ulong end) {
  ulong at = first + get_global_id(0) * CHUNK;
  ulong to = min(at + CHUNK, end);
  while (at < to) {
    ulong r = replicas == 1 ? 0 : at / size;
    ulong stop = min(to, (r + 1) * size);
    if (active[r]) {
      pair c[8];
      coefficients_of(c, r, coefficients, shared, uniform);
      for (; at < stop; at += LANES) {
        int count = (int)min((ulong)LANES, stop - at);
        pairs sum;
        sum.x = load_some(x + at, count);
        sum.y = LOAD_LOW(x, at, count);
        sum = COMBINED(sum, at, count, c);
        store_some(sum.x, out + at, count);
        STORE_LOW(sum.y, out, at, count);
      }
    }
    at = stop;
  }
}
