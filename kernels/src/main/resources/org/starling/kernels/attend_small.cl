/*
 * attend_small: attention output or velocity for D <= 8, from differences x_j - x_i throughout, so
 * that rows keep their digits inside the tightest cluster.
 *
 *   x, out     [R][n][D]  positions; field (op 0: u_i, op 1: velocity of the slot's geometry)
 *   low        [R][n][D]  corrections, position = x + low (MIXED; else any buffer, not read)
 *   plan, scale, matrices   as in attend_blocks.cl, with `PACK` for NR
 *   small      [R][ceil(n / rows of a unit)][2]   as in attend_blocks.cl
 *
 * STAGED 0, for CPU devices: a unit is VW rows of one slot, rows across the lanes of a vector; one
 * work-item a unit, work-group size 1, no local memory.
 * STAGED 1, for GPUs (VW 1): a unit is WG rows of one slot; one work-group of WG items a unit, an
 * item a row; PANEL D keys in local memory, PANEL D 4 bytes more in MIXED. Untested on GPUs.
 * Defines: DOUBLE, VW, D, PANEL (keys a panel), PACK (packed width of matrices), MIXED 0|1, HARDMAX
 * 0|1, CAREFUL 0|1, STAGED 0|1, WG.
 *
 * r_ij = <y_i, x_j - x_i>, y_i = beta log2(e) S^T x_i, is the score relative to self, whose own is
 * 0; the sum runs over j != i and self joins at the end. Weights are relative to a base, a whole number
 * that a row moves only when a panel leaves its largest score so far more than FAR from it: scores of
 * moderate beta need no search for a maximum, and a moved base only shifts exponents. CAREFUL carries
 * queries and scores as sums of two numbers: where keys far from self have the largest scores, the
 * rounding of a score is that of its size, not of its distance to the base.
 * Sums of a panel are formed apart, in key order; panels are aligned to multiples of PANEL. Masked keys
 * add exact zeros: deterministic, and a row depends on nothing behind its last key.
 */
#if STAGED
#define ROWS WG
#else
#define ROWS VW
#endif

__kernel void attend_small(
    __global const REAL *x,
    __global const REAL *low,
    __global REAL *out,
    __global int *small,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    int op,
    ulong firstUnit,
    ulong endUnit) {
#if STAGED
  __local REAL staged[PANEL * D];
#if MIXED
  __local REAL stagedLow[PANEL * D];
#endif
  __local int belowOf[WG];
  int item = get_local_id(0);
  ulong unit = firstUnit + get_group_id(0);
#else
  int item = 0;
  ulong unit = firstUnit + get_global_id(0);
#endif
  if (unit >= endUnit) {
    return;
  }
  int blocks = (n + ROWS - 1) / ROWS;
  ulong slot = unit / blocks;
  int row0 = zigzag((int)(unit - slot * blocks), blocks) * ROWS;
  plan += slot * planStride;
  scale += slot * scaleStride;
  size_t replica = plan[0];
  x += replica * n * D;
  out += replica * n * D;
  MASK mask;
  readMask(plan, n, &mask);
  int form = op ? (int)plan[4] : FORM_RAW;
  REAL slope = scale[0];

  /* The rows of this item, lane by lane; lanes from n on repeat the last token and are not stored. */
  ROW row;
#if MIXED
  low += replica * n * D;
#endif
  {
    REAL lane[VW];
    INTR rowOf[VW], firstOf[VW], lastOf[VW];
    for (int l = 0; l < VW; l++) {
      int i = min(row0 + item * VW + l, n - 1);
      rowOf[l] = i;
      firstOf[l] = firstKey(mask, i);
      lastOf[l] = lastKey(mask, i);
    }
    row.index = LOADIV(rowOf);
    row.first = LOADIV(firstOf);
    row.last = LOADIV(lastOf);
    FOR_EACH(c) {
      for (int l = 0; l < VW; l++) {
        lane[l] = x[(size_t)rowOf[l] * D + c];
      }
      row.x[c] = LOADV(lane);
#if MIXED
      for (int l = 0; l < VW; l++) {
        lane[l] = low[(size_t)rowOf[l] * D + c];
      }
      row.low[c] = LOADV(lane);
#endif
    }
  }
  /* Both ends of an interval never decrease with the row. */
  int top = min(row0 + ROWS, n) - 1;
  int firstAll = firstKey(mask, row0), firstCommon = firstKey(mask, top);
  int lastAll = lastKey(mask, top), lastCommon = lastKey(mask, row0);
  VEC field[D];
  IVEC moving = (IVEC)(0);
  FOR_EACH(c) {
    field[c] = (VEC)(0);
  }

  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    __global const REAL *factors = scale + SCALE_HEAD + h * SCALE_PER_HEAD;
    readQuery(&row, head, factors, matrices);
    VEC base = (VEC)(0), highest = (VEC)(NEGATIVE_INFINITY), sum = (VEC)(0);
    VEC delta[D];
    FOR_EACH(c) {
      delta[c] = (VEC)(0);
    }
#if HARDMAX
    IVEC best = (IVEC)(NONE);
#endif

    for (int panel = firstAll / PANEL * PANEL; panel <= lastAll; panel += PANEL) {
      int from = max(panel, firstAll), to = min(panel + PANEL - 1, lastAll) + 1;
#if STAGED
      for (int c = item; c < (to - panel) * D; c += WG) {
        staged[c] = x[(size_t)panel * D + c];
#if MIXED
        stagedLow[c] = low[(size_t)panel * D + c];
#endif
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      KEYS const REAL *key = staged, *keyLow = staged;
#if MIXED
      keyLow = stagedLow;
#endif
#else
      KEYS const REAL *key = x + (size_t)panel * D, *keyLow = key;
#if MIXED
      keyLow = low + (size_t)panel * D;
#endif
#endif
#if HARDMAX
      chooseKey(&row, key, keyLow, panel, from, to, slope, &highest, &best);
#else
      for (;;) {
        VEC high = (VEC)(NEGATIVE_INFINITY), part = (VEC)(0), partDelta[D];
        FOR_EACH(c) {
          partDelta[c] = (VEC)(0);
        }
        /* Stretches of keys that all lanes see alike need no mask. */
        for (int j = from; j < to;) {
          int alike = slope == 0 && j >= firstCommon && j <= lastCommon && (j < row0 || j > top);
          int end = to;
          if (slope == 0 && j < firstCommon) {
            end = min(to, firstCommon);
          } else if (slope == 0 && j <= lastCommon) {
            end = min(to, lastCommon + 1);
            end = j < row0 ? min(end, row0) : j <= top ? min(end, top + 1) : end;
          }
          if (alike) {
            addKeys(&row, key, keyLow, panel, j, end, 0, 0, base, &high, &part, partDelta);
          } else {
            addKeys(&row, key, keyLow, panel, j, end, 1, slope, base, &high, &part, partDelta);
          }
          j = end;
        }
        high = highest > high ? highest : high;
        IVEC astray = (high > (VEC)(FAR)) | ((high < (VEC)(-FAR)) & (high > (VEC)(NEGATIVE_INFINITY)));
        if (!ANY(astray)) {
          highest = high;
          sum += part;
          FOR_EACH(c) {
            delta[c] += partDelta[c];
          }
          break;
        }
        /* The panel is done again with a base near the largest score. */
        VEC shift = astray ? rint(high) : (VEC)(0);
        VEC factor = shift > (VEC)(0) ? exp2Small(-shift) : (VEC)(1);
        base += shift;
        highest -= shift;
        sum *= factor;
        FOR_EACH(c) {
          delta[c] *= factor;
        }
      }
#endif
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

#if HARDMAX
    INTR chosen[VW];
    REAL lane[VW];
    STOREIV(best, chosen);
    FOR_EACH(c) {
      for (int l = 0; l < VW; l++) {
        int i = min(row0 + item * VW + l, n - 1);
        size_t at = (size_t)max((int)chosen[l], 0) * D + c;
        lane[l] = x[at] - x[(size_t)i * D + c];
#if MIXED
        lane[l] += low[at] - low[(size_t)i * D + c];
#endif
      }
      IVEC none = (best == (IVEC)(NONE)) | (highest != highest);
      delta[c] = none ? (VEC)(NAN) : LOADV(lane);
    }
#else
    FOR_EACH(c) {
      delta[c] = -delta[c];
    }
#endif
    finishRow(
        &row, base, sum, delta, form, (int)plan[5], head, factors[2], matrices, field, &moving);
  }

  REAL lane[VW];
  VEC speed = (VEC)(0);
  FOR_EACH(c) {
    STOREV(field[c], lane);
    for (int l = 0; l < VW; l++) {
      int i = row0 + item * VW + l;
      if (i < n) {
        out[(size_t)i * D + c] = lane[l];
      }
    }
    VEC v = field[c] * (VEC)(LIFT);
    speed += v * v;
  }
  moving = speed < (VEC)((SMALLEST * LIFT) * (SMALLEST * LIFT)) ? moving : (IVEC)(0);
  int below = 0, firstBelow = NONE;
  if (ANY(moving)) {
    INTR slow[VW];
    STOREIV(moving, slow);
    for (int l = VW - 1; l >= 0; l--) {
      int i = row0 + item * VW + l;
      if (i < n && slow[l]) {
        below++;
        firstBelow = i;
      }
    }
  }
#if STAGED
  belowOf[item] = firstBelow;
  barrier(CLK_LOCAL_MEM_FENCE);
  /* Every item counts and one adds: PoCL 3.1 runs a loop under a condition on the item in all items. */
  below = 0;
  firstBelow = NONE;
  for (int k = WG - 1; k >= 0; k--) {
    if (belowOf[k] != NONE) {
      below++;
      firstBelow = belowOf[k];
    }
  }
  if (item == 0) {
    countBelow(small, replica, blocks, (int)(unit - slot * blocks), below, firstBelow);
  }
#else
  countBelow(small, replica, blocks, (int)(unit - slot * blocks), below, firstBelow);
#endif
}
