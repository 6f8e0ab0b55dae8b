/*
 * pack: positions in the order in which the row-block kernels read keys.
 *
 * x       [R][n][D]          positions
 * keys    [R][groups][D][NR] NR consecutive tokens side by side, coordinate after coordinate
 * slots   plan of the active replicas (plan.cl), stride `planStride`
 * groups = ceil(n / NR); tokens from n on are 0.
 *
 * A unit is one group of NR tokens of one slot; one work-item a unit, work-group size 1.
 * Defines: DOUBLE, VW, D. No local memory. Deterministic: moves only.
 */
#define NR (2 * VW)

__kernel void pack(
    __global const REAL *x,
    __global REAL *keys,
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
  int tokens = min(NR, n - group * NR);
  for (int c = 0; c < D; c++) {
    for (int t = 0; t < NR; t++) {
      k[c * NR + t] = t < tokens ? from[(size_t)t * D + c] : (REAL)0;
    }
  }
}
