/*
 * transform: every token times the score matrix or the value matrix of one head, for GPUs.
 *
 *   in, out                 [R][n][D]  tokens; out_i = factor S^T in_i (which 0) or V in_i (which 1)
 *   plan, scale, matrices   as in attend_blocks.cl; a scalar S is applied, a scalar V is not (out = in)
 *
 * A unit is one coordinate of one token of one slot (units: slots n D); one work-item a unit, any
 * work-group size, no local memory. Defines: DOUBLE, VW 1, D, PACK (packed width of matrices), KC.
 * Deterministic: sums of KC products, added in order. Untested on GPUs.
 */
__kernel void transform(
    __global const REAL *in,
    __global REAL *out,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    int h,
    int which,
    ulong first,
    ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  ulong row = unit / D;
  int c = (int)(unit - row * D);
  ulong slot = row / n;
  plan += slot * planStride;
  if (h >= (int)plan[6]) {
    return;
  }
  size_t at = (size_t)plan[0] * n + (row - slot * n);
  __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD + 2 * which;
  REAL factor =
      which ? (REAL)1 : scale[slot * scaleStride + SCALE_HEAD + h * SCALE_PER_HEAD];
  if (head[0] == SCALAR) {
    out[at * D + c] = factor * in[at * D + c];
    return;
  }
  __global const REAL *m = matrices + head[1] + (size_t)(c / PACK) * D * PACK + c % PACK;
  __global const REAL *x = in + at * D;
  REAL sum = 0;
  for (int k0 = 0; k0 < D; k0 += KC) {
    REAL part = 0;
    for (int k = k0; k < min(k0 + KC, D); k++) {
      part += x[k] * m[(size_t)k * PACK];
    }
    sum += part;
  }
  out[at * D + c] = factor * sum;
}
