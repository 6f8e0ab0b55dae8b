/*
 * energy: sum over all j, i included, of exp(beta (<x_i, S x_j> - 1)), and over heads.
 *
 *   x, keys, plan, scale, matrices   as in attend_blocks.cl; masks do not count
 *   sums [units][2]                  the unit's sum as two numbers, unevaluated
 *
 * A unit is a block of BM rows of one slot (units: slots ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: BM (2 D + BN) numbers. Defines: those of
 * blocks.cl with TILE DIFFERENCE. Deterministic: the host adds the units in order.
 *
 * The exponent is beta <x_i, S (x_j - x_i)> + beta (<x_i, S x_i> - 1): both parts are small where
 * the exponential is not.
 */
__kernel void energy(
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
  TWO sum = (TWO)(0);
  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    prepareBlock(
        x, row0, n, head[0] == DENSE, scale[SCALE_HEAD + h * SCALE_PER_HEAD], matrices + head[1],
        groups, work, q, self);
    for (int panel = 0; panel < n; panel += BN) {
      int panelEnd = min(panel + BN, n) - 1;
      scoreBlock(q, keys, panel, panelEnd, groups, first, last, s);
      for (int r = 0; r < rows; r++) {
        TWO shift = twoSum(self[r].hi, -scale[1]);
        VEC t = (VEC)(shift.hi + (shift.lo + self[r].lo));
        VEC part = (VEC)(0);
        for (int j = panel; j <= panelEnd; j += VW) {
          VEC e = exp2(LOADV(s + r * BN + j - panel) + t);
          if (j + VW > n) {
            e = (IVEC)(j) + LANES >= (IVEC)(n) ? (VEC)(0) : e;
          }
          part += e;
        }
        TWO added = twoSum(sum.hi, sumLanes(part));
        sum.hi = added.hi;
        sum.lo += added.lo;
      }
    }
  }
  sums[unit * 2] = sum.hi;
  sums[unit * 2 + 1] = sum.lo;
}
