/*
 * entropy: sum over rows and heads of -sum_j w_ij ln w_ij, w_ij = softmax over the live keys.
 *
 *   x, keys, plan, scale, matrices   as in attend_blocks.cl
 *   sums [units][2]                  the unit's sum as two numbers, unevaluated
 *
 * A unit is a block of BM rows of one slot (units: slots ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: BM (2 D + BN) numbers. Defines: those of
 * blocks.cl with TILE DIFFERENCE. Deterministic: the host adds the units in order.
 *
 * With scores t_j relative to the running maximum, Z = sum 2^t_j and T = sum t_j 2^t_j, the entropy
 * is ln 2 (log2 Z - T / Z); when the maximum rises by u, T becomes 2^-u (T - u Z), Z becomes 2^-u Z.
 */
__kernel void entropy(
    __global const REAL *x,
    __global const REAL *keys,
    __global REAL *sums,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    ulong firstUnit,
    ulong endUnit) {
  PAIR_BLOCK_BEGIN
  plan += (size_t)slot * planStride;
  scale += (size_t)slot * scaleStride;
  x += (size_t)plan[0] * n * D;
  keys += (size_t)plan[0] * padded * D;
  MASK mask;
  readMask(plan, n, &mask);
  for (int r = 0; r < rows; r++) {
    first[r] = firstKey(mask, row0 + r);
    last[r] = lastKey(mask, row0 + r);
  }
  REAL maximum[BM], z[BM], weighted[BM];
  TWO sum = (TWO)(0);
  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    prepareBlock(
        x, row0, n, head[0] == DENSE, scale[SCALE_HEAD + h * SCALE_PER_HEAD], matrices + head[1],
        groups, work, q, self);
    for (int r = 0; r < rows; r++) {
      maximum[r] = NEGATIVE_INFINITY;
      z[r] = 0;
      weighted[r] = 0;
    }
    for (int panel = first[0] / BN * BN; panel <= last[rows - 1]; panel += BN) {
      int panelEnd = min(panel + BN - 1, last[rows - 1]);
      scoreBlock(q, keys, panel, panelEnd, groups, first, last, s);
      for (int r = 0; r < rows; r++) {
        int a = max(first[r], panel);
        int b = min(last[r], panelEnd);
        if (a > b) {
          continue;
        }
        REAL top = maskRow(s + r * BN, panel, a, b, row0 + r, scale[0], 1);
        if (!(top <= maximum[r])) {
          if (maximum[r] != NEGATIVE_INFINITY) {
            REAL rise = top - maximum[r];
            REAL factor = exp2(-rise);
            weighted[r] = factor * (weighted[r] - rise * z[r]);
            z[r] *= factor;
          }
          maximum[r] = top;
        }
        VEC part = (VEC)(0), partWeighted = (VEC)(0);
        for (int j = a - (a - panel) % VW; j <= b; j += VW) {
          VEC t = LOADV(s + r * BN + j - panel) - (VEC)(maximum[r]);
          VEC p = exp2Small(t);
          part += p;
          partWeighted += p == (VEC)(0) ? (VEC)(0) : p * t;
        }
        z[r] += sumLanes(part);
        weighted[r] += sumLanes(partWeighted);
      }
    }
    for (int r = 0; r < rows; r++) {
      TWO added = twoSum(sum.hi, (REAL)LN2 * (log2(z[r]) - weighted[r] / z[r]));
      sum.hi = added.hi;
      sum.lo += added.lo;
    }
  }
  sums[unit * 2] = sum.hi;
  sums[unit * 2 + 1] = sum.lo;
}
