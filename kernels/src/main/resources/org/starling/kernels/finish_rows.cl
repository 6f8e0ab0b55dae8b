/*
 * finish_rows: from the sums of attend_tiles to the field, one head at a time, for GPUs. Untested on
 * GPUs; tested on CPU devices.
 *
 *   x, out      [R][n][D]  positions; field (op 0: u_i, op 1: velocity), head 0 sets, others add
 *   sums, own   [R][n][D]  V times the sums of attend_tiles and V x_i (or both without V, scalar);
 *                          overwritten
 *   state       [R][n][4]  of attend_tiles
 *   moving      [R][n]     whether any head so far is non-zero before its scale
 *   small       [R][ceil(n / WG)][2] after the last head, as in attend_blocks.cl
 *
 * A unit is WG rows of one slot (units: slots ceil(n / WG)); one work-group of WG items a unit. Local
 * memory: WG ints. Defines: DOUBLE, VW 1, D, WG, TILE and HARDMAX as attend_tiles. Deterministic.
 */
#define DIFFERENCE 1

REAL dotTokens(__global const REAL *a, __global const REAL *b) {
  REAL sum = 0;
  for (int c0 = 0; c0 < D; c0 += 32) {
    REAL part = 0;
    for (int c = c0; c < min(c0 + 32, D); c++) {
      part += a[c] * b[c];
    }
    sum += part;
  }
  return sum;
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectToken(__global REAL *y, __global const REAL *x) {
  REAL norm = dotTokens(x, x);
  for (int pass = 0; pass < 2; pass++) {
    REAL along = dotTokens(y, x) / norm;
    for (int c = 0; c < D; c++) {
      y[c] = y[c] - along * x[c];
    }
  }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void finish_rows(
    __global const REAL *x,
    __global REAL *sums,
    __global REAL *own,
    __global const REAL *state,
    __global REAL *out,
    __global int *moving,
    __global int *small,
    __global const long *plan,
    __global const REAL *scale,
    int planStride,
    int scaleStride,
    int n,
    int op,
    int h,
    int last,
    ulong firstUnit,
    ulong endUnit) {
  __local int belowOf[WG];
  ulong unit = firstUnit + get_group_id(0);
  if (unit >= endUnit) {
    return;
  }
  int item = get_local_id(0);
  int blocks = (n + WG - 1) / WG;
  ulong slot = unit / blocks;
  int i = (int)(unit - slot * blocks) * WG + item;
  plan += slot * planStride;
  belowOf[item] = NONE;
  if (i < n && h < (int)plan[6]) {
    size_t at = (size_t)plan[0] * n + i;
    __global const REAL *token = x + at * D;
    __global REAL *y = sums + at * D;
    __global REAL *to = out + at * D;
    __global const REAL *of = state + at * 4;
    int form = op ? (int)plan[4] : FORM_RAW;
    int dense = plan[PLAN_HEAD + h * PLAN_PER_HEAD + 2] == DENSE;
    __global const REAL *selfValue = dense ? own + at * D : token;
    REAL vFactor = scale[slot * scaleStride + SCALE_HEAD + h * SCALE_PER_HEAD + 2];
    REAL factor, selfFactor;
#if HARDMAX
    factor = of[0] == of[0] ? (REAL)1 : of[0];
    selfFactor = form == FORM_SPHERE;
#else
    MASK mask;
    readMask(plan, n, &mask);
    TWO self;
    self.hi = of[2];
    self.lo = of[3];
    factorsOf(
        (int)plan[5], of[0], of[1], TILE == DIFFERENCE ? (TWO)(0) : self,
        TILE == DIFFERENCE ? self : (TWO)(0), lastKey(mask, i) - firstKey(mask, i) + 1, &factor,
        &selfFactor);
#endif
    if (form == FORM_SPHERE) {
      projectToken(y, token);
      if (dense) {
        projectToken(own + at * D, token);
      }
    }
    int withSelf = form == FORM_RAW || (form == FORM_SPHERE && dense);
    int any = 0;
    for (int c = 0; c < D; c++) {
      any |= y[c] != 0 || (withSelf && selfValue[c] != 0);
      REAL value = factor * y[c];
      if (withSelf) {
        value += selfFactor * selfValue[c];
      }
      to[c] = h == 0 ? vFactor * value : to[c] + vFactor * value;
    }
    any = any && vFactor != 0;
    moving[at] = h == 0 ? any : moving[at] | any;
  }
  if (last && i < n) {
    size_t at = (size_t)plan[0] * n + i;
    REAL speed = 0;
    for (int c = 0; c < D; c++) {
      REAL v = out[at * D + c] * LIFT;
      speed += v * v;
    }
    if (moving[at] && speed < (SMALLEST * LIFT) * (SMALLEST * LIFT)) {
      belowOf[item] = i;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  /* Every item counts and one adds: PoCL 3.1 runs a loop under a condition on the item in all items. */
  int below = 0, lowest = NONE;
  for (int k = WG - 1; k >= 0; k--) {
    if (belowOf[k] != NONE) {
      below++;
      lowest = belowOf[k];
    }
  }
  if (last && item == 0) {
    countBelow(small, plan[0], blocks, (int)(unit - slot * blocks), below, lowest);
  }
}
