/*
 * transform: every token times the score matrix or the value matrix of one head, for kernels that sum over
 * keys head by head.
 *
 *   in, out                 [R][n][D]  tokens; out_i = factor S^T in_i (which 0) or V in_i (which 1)
 *   plan, scale, matrices   as in attend_blocks.cl; a scalar S is applied, a scalar V is not (out = in)
 *
 * A unit is VW coordinates of one token of one slot (units: slots n ceil(D / VW)); one work-item a unit,
 * any work-group size, no local memory. Defines: DOUBLE, VW (1, or PACK on CPU devices), D, PACK (packed
 * width of matrices), KC. Deterministic: sums of KC products, added in order. Untested on GPUs.
 */
#define COLUMNS ((D + VW - 1) / VW)

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
  ulong row = unit / COLUMNS;
  int c = (int)(unit - row * COLUMNS) * VW;
  ulong slot = row / n;
  plan += slot * planStride;
  if (h >= (int)plan[6]) {
    return;
  }
  size_t at = (size_t)plan[0] * n + (row - slot * n);
  __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD + 2 * which;
  REAL factor =
      which ? (REAL)1 : scale[slot * scaleStride + SCALE_HEAD + h * SCALE_PER_HEAD];
  __global const REAL *x = in + at * D;
  int columns = min(VW, D - c);
  if (head[0] == SCALAR) {
    for (int l = 0; l < columns; l++) {
      out[at * D + c + l] = factor * x[c + l];
    }
    return;
  }
  __global const REAL *m = matrices + head[1] + (size_t)(c / PACK) * D * PACK + c % PACK;
  VEC sum = (VEC)(0);
  for (int k0 = 0; k0 < D; k0 += KC) {
    VEC part = (VEC)(0);
    for (int k = k0; k < min(k0 + KC, D); k++) {
      part += (VEC)(x[k]) * LOADV(m + (size_t)k * PACK);
    }
    sum += part;
  }
  REAL lanes[VW];
  STOREV((VEC)(factor) * sum, lanes);
  for (int l = 0; l < columns; l++) {
    out[at * D + c + l] = lanes[l];
  }
}
