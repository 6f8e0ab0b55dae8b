/*
 * pack_half: positions as pack.cl packs them, rounded to half, and a count of what half cannot hold.
 *
 * x       [R][n][D]                positions, float32
 * keys    [R][groups][DP][PACK]    as in pack.cl, numbers of 16 bits (no cl_khr_fp16: moves only)
 * lost    [R][groups][4]           added to the group's counts: tokens beyond the range of half and the
 *                                  first of them, tokens below it and the first (meaningless at count 0)
 * slots   plan of the active replicas (plan.cl), stride `planStride`
 * groups = ceil(n / PACK); tokens from n on and coordinates from D on are 0.
 *
 * Rounding is to the nearest, ties to even: at most 2^-11 of a coordinate from 2^-14 on, and 2^-25 under
 * that, which is at most 2^-11 of the largest coordinate where that is from 2^-14 on. A token whose largest
 * coordinate is smaller, and that half does not hold exactly, has lost more: it is below the range, and
 * counted. A coordinate that would round to infinity becomes NaN instead, and so does all that sees it;
 * its token is beyond the range, and counted. Numbers that are not finite become NaN and are not counted.
 *
 * A unit is one group of tokens of one slot; one work-item a unit, work-group size 1.
 * Defines: DOUBLE 0, VW = PACK, D, DP, PACK 2, 4, 8 or 16. No local memory. Deterministic.
 */
#define HALF_END 65520.0f
#define HALF_NORMAL 6.103515625e-05f

__kernel void pack_half(
    __global const REAL *x,
    __global half *keys,
    __global int *lost,
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
  __global half *k = keys + (replica * groups + group) * (size_t)(DP * PACK);
  int tokens = min(PACK, n - group * PACK);
  REAL lane[PACK];
  for (int t = 0; t < PACK; t++) {
    lane[t] = 0;
  }
  VEC largest = (VEC)(0);
  IVEC inexact = (IVEC)(0), beyond = (IVEC)(0);
  for (int c = 0; c < DP; c++) {
    for (int t = 0; t < tokens; t++) {
      lane[t] = c < D ? from[(size_t)t * D + c] : (REAL)0;
    }
    VEC v = LOADV(lane);
    VEC size = fabs(v);
    beyond |= (size >= (VEC)(HALF_END)) & (size <= (VEC)(MAXFLOAT));
    v = size < (VEC)(HALF_END) ? v : (VEC)(NAN);
    JOIN(JOIN(vstore_half, PACK), _rte)(v, c, k);
    inexact |= JOIN(vload_half, PACK)(c, k) != v;
    largest = fmax(largest, size);
  }
  IVEC below = inexact & (largest < (VEC)(HALF_NORMAL)) & ~beyond;
  __global int *count = lost + (replica * groups + group) * 4;
  INTR over[PACK], under[PACK];
  STOREIV(beyond, over);
  STOREIV(below, under);
  for (int t = tokens - 1; t >= 0; t--) {
    /* All items run all of this, and add 0 or 1. */
    count[1] = over[t] && (count[0] == 0 || group * PACK + t < count[1]) ? group * PACK + t : count[1];
    count[3] = under[t] && (count[2] == 0 || group * PACK + t < count[3]) ? group * PACK + t : count[3];
    count[0] += over[t] != 0;
    count[2] += under[t] != 0;
  }
}
