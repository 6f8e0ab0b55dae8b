/*
 * pack: positions in the order in which the row-block kernels read keys.
 *
 * x       [R][n][D]                positions
 * keys    [R][groups][DP][PACK]    PACK consecutive tokens side by side, coordinate after coordinate
 * slots   plan of the active replicas (plan.cl), stride `planStride`
 * groups = ceil(n / PACK); tokens from n on and coordinates from D on are 0.
 *
 * A unit is one group of tokens of one slot; one work-item a unit, work-group size 1.
 * Defines: DOUBLE, D, DP, PACK. No local memory. Deterministic: moves only.
 */
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
  int groups = (n + PACK - 1) / PACK;
  ulong slot = unit / groups;
  int group = (int)(unit - slot * groups);
  size_t replica = plan[slot * planStride];
  __global const REAL *from = x + (replica * n + (size_t)group * PACK) * D;
  __global REAL *k = keys + (replica * groups + group) * (size_t)(DP * PACK);
  int tokens = min(PACK, n - group * PACK);
  if (tokens == PACK) {
    for (int c = 0; c < D; c++) {
      REAL side[PACK];
#pragma unroll
      for (int t = 0; t < PACK; t++) {
        side[t] = from[t * D + c];
      }
#pragma unroll
      for (int t = 0; t < PACK; t++) {
        k[c * PACK + t] = side[t];
      }
    }
    for (int c = D * PACK; c < DP * PACK; c++) {
      k[c] = (REAL)0;
    }
    return;
  }
  for (int c = 0; c < DP; c++) {
    for (int t = 0; t < PACK; t++) {
      k[c * PACK + t] = t < tokens && c < D ? from[(size_t)t * D + c] : (REAL)0;
    }
  }
}
