/*
 * pack: positions in the two orders that the row-block kernels read.
 *
 * x       [R][n][D]                    positions
 * keys    [R][groups][D][NR]           NR consecutive tokens side by side, coordinate after coordinate
 * values  [R][DP / NR][groups NR][NR]  NR consecutive coordinates of every token side by side
 * slots   plan of the active replicas (plan.cl), stride `planStride`
 * groups = ceil(n / NR); tokens from n on and coordinates from D on are 0.
 *
 * A unit is one group of NR tokens of one slot; one work-item a unit, work-group size 1.
 * Defines: DOUBLE, VW, D, DP (D rounded up to NR), VALUES 0|1 (0: `values` is not written). No local
 * memory. Deterministic: moves only.
 */
#define NR (2 * VW)

__kernel void pack(
    __global const REAL *x,
    __global REAL *keys,
    __global REAL *values,
    __global const long *plan,
    int planStride,
    int n,
    ulong first,
    ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  int groups = (n + NR - 1) / NR;
  ulong slot = unit / groups;
  int group = (int)(unit - slot * groups);
  size_t replica = plan[slot * planStride];
  __global const REAL *from = x + (replica * n + (size_t)group * NR) * D;
  __global REAL *k = keys + (replica * groups + group) * (size_t)(D * NR);
  __global REAL *v = values + replica * groups * NR * (size_t)DP + (size_t)group * NR * NR;
  int tokens = min(NR, n - group * NR);
  for (int c0 = 0; c0 < DP; c0 += NR) {
    __global REAL *panel = v + (size_t)(c0 / NR) * groups * NR * NR;
    for (int t = 0; t < NR; t++) {
      for (int c = 0; c < NR; c++) {
        REAL value = t < tokens && c0 + c < D ? from[(size_t)t * D + c0 + c] : (REAL)0;
        if (VALUES) {
          panel[t * NR + c] = value;
        }
        if (c0 + c < D) {
          k[(c0 + c) * NR + t] = value;
        }
      }
    }
  }
}
