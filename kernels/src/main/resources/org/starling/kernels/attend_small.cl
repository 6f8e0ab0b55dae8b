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
 * 0; the sum runs over j != i relative to the running maximum over j != i (once a panel), and self
 * joins at the end (weights.cl). CAREFUL carries queries and scores as sums of two numbers: where keys
 * far from self have the largest scores, the rounding of a score is that of its size, not of its
 * distance to the maximum. Sums of a panel are formed apart, in key order; panels are aligned
 * to multiples of PANEL. Masked keys add exact zeros: deterministic, and a row depends on nothing
 * behind its last key.
 */
#if MIXED
#define DIFFERENCES_(j)                                                            \
  for (int c = 0; c < D; c++) {                                                    \
    d[c] = ((VEC)(key[(j) * D + c]) - xi[c]) + ((VEC)(keyLow[(j) * D + c]) - li[c]); \
  }
#else
#define DIFFERENCES_(j)                                                            \
  for (int c = 0; c < D; c++) {                                                    \
    d[c] = (VEC)(key[(j) * D + c]) - xi[c];                                        \
  }
#endif

#if STAGED
#define ROWS WG
#define KEYS __local
#else
#define ROWS VW
#define KEYS __global
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
  VEC xi[D], yi[D];
#if CAREFUL
  VEC yLow[D];
#endif
#if MIXED
  VEC li[D];
  low += replica * n * D;
#endif
  IVEC row, first, last;
  {
    REAL lane[VW];
    INTR rowOf[VW], firstOf[VW], lastOf[VW];
    for (int l = 0; l < VW; l++) {
      int i = min(row0 + item * VW + l, n - 1);
      rowOf[l] = i;
      firstOf[l] = firstKey(mask, i);
      lastOf[l] = lastKey(mask, i);
    }
    row = LOADIV(rowOf);
    first = LOADIV(firstOf);
    last = LOADIV(lastOf);
    for (int c = 0; c < D; c++) {
      for (int l = 0; l < VW; l++) {
        lane[l] = x[(size_t)rowOf[l] * D + c];
      }
      xi[c] = LOADV(lane);
#if MIXED
      for (int l = 0; l < VW; l++) {
        lane[l] = low[(size_t)rowOf[l] * D + c];
      }
      li[c] = LOADV(lane);
#endif
    }
  }
  /* Both ends of an interval never decrease with the row. */
  int top = min(row0 + ROWS, n) - 1;
  int firstAll = firstKey(mask, row0), firstCommon = firstKey(mask, top);
  int lastAll = lastKey(mask, top), lastCommon = lastKey(mask, row0);
  int moving = 0;

  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    REAL sFactor = scale[SCALE_HEAD + h * SCALE_PER_HEAD];
    for (int c = 0; c < D; c++) {
#if CAREFUL
      VEC hi = (VEC)(0), lo = (VEC)(0);
      if (head[0] == DENSE) {
        for (int k = 0; k < D; k++) {
          REAL m = matrices[head[1] + k * PACK + c];
          multiplyCarefully(&hi, &lo, (VEC)(m), xi[k]);
          lo += (VEC)(matrices[head[1] + (D + k) * PACK + c]) * xi[k];
#if MIXED
          lo += (VEC)(m) * li[k];
#endif
        }
      } else {
        multiplyCarefully(&hi, &lo, (VEC)(sFactor), xi[c]);
        lo += (VEC)(scale[SCALE_HEAD + h * SCALE_PER_HEAD + 1]) * xi[c];
#if MIXED
        lo += (VEC)(sFactor) * li[c];
#endif
      }
      yi[c] = hi + lo;
      yLow[c] = lo - (yi[c] - hi);
#else
      if (head[0] == DENSE) {
        yi[c] = (VEC)(0);
        for (int k = 0; k < D; k++) {
          yi[c] = (VEC)(matrices[head[1] + k * PACK + c]) * xi[k] + yi[c];
        }
      } else {
        yi[c] = xi[c] * sFactor;
      }
#endif
    }
    VEC maximum = (VEC)(NEGATIVE_INFINITY), sum = (VEC)(0);
    VEC delta[D];
    for (int c = 0; c < D; c++) {
      delta[c] = (VEC)(0);
    }
#if HARDMAX
    IVEC best = (IVEC)(NONE);
#endif

    for (int panel = firstAll / PANEL * PANEL; panel <= lastAll; panel += PANEL) {
      int keys = min(PANEL, n - panel);
      int plain = keys == PANEL && firstCommon <= panel && panel + PANEL - 1 <= lastCommon
          && (panel + PANEL <= row0 || panel > top) && slope == 0;
#if STAGED
      for (int c = item; c < keys * D; c += WG) {
        staged[c] = x[(size_t)panel * D + c];
#if MIXED
        stagedLow[c] = low[(size_t)panel * D + c];
#endif
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      __local const REAL *key = staged;
#if MIXED
      __local const REAL *keyLow = stagedLow;
#endif
#else
      __global const REAL *key = x + (size_t)panel * D;
#if MIXED
      __global const REAL *keyLow = low + (size_t)panel * D;
#endif
#endif
      VEC r[PANEL];
#if CAREFUL
      VEC rLow[PANEL];
#endif
      VEC highest = maximum;
      for (int j = 0; j < keys; j++) {
        VEC d[D];
        DIFFERENCES_(j)
#if CAREFUL
        VEC score = (VEC)(0), scoreLow = (VEC)(0);
        for (int c = 0; c < D; c++) {
          /* d is rounded: its remainder is what x_j and x_i leave of it. */
          VEC far = (VEC)(key[j * D + c]);
          VEC w = far - xi[c];
          VEC t = w - far;
          VEC rest = (far - (w - t)) - (xi[c] + t);
#if MIXED
          rest += ((VEC)(keyLow[j * D + c]) - li[c]) - (d[c] - w);
#endif
          multiplyCarefully(&score, &scoreLow, yi[c], d[c]);
          scoreLow = yi[c] * rest + scoreLow;
          scoreLow = yLow[c] * d[c] + scoreLow;
        }
#else
        VEC score = yi[0] * d[0];
        for (int c = 1; c < D; c++) {
          score = yi[c] * d[c] + score;
        }
#endif
        if (!plain) {
          IVEC k = (IVEC)(panel + j);
#if CAREFUL
          addCarefully(&score, &scoreLow, (VEC)(-slope) * TO_VEC(row - k));
#else
          score = score - (VEC)(slope) * TO_VEC(row - k);
#endif
#if HARDMAX
          IVEC dead = (k < first) | (k > last);
#else
          IVEC dead = (k < first) | (k > last) | (k == row);
#endif
          score = dead ? (VEC)(NEGATIVE_INFINITY) : score;
#if CAREFUL
          scoreLow = dead ? (VEC)(0) : scoreLow;
#endif
        }
#if HARDMAX
        /* A NaN is the largest from where it comes up. */
        IVEC better = (score > highest) | (score != score);
        best = better ? (IVEC)(panel + j) : best;
        highest = better ? score : highest;
#else
        highest = score > highest ? score : highest;
#endif
        r[j] = score;
#if CAREFUL
        rLow[j] = scoreLow;
#endif
      }
#if HARDMAX
      maximum = highest;
#else
      /* A row without a key so far is taken relative to 0: all its powers are 0 (a NaN stays). */
      VEC base = highest == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : highest;
      VEC factor = exp2Small(maximum - base);
      maximum = highest;
      VEC part = (VEC)(0), partDelta[D];
      for (int c = 0; c < D; c++) {
        partDelta[c] = (VEC)(0);
      }
      for (int j = 0; j < keys; j++) {
        VEC d[D];
        DIFFERENCES_(j)
#if CAREFUL
        VEC p = exp2Small((r[j] - base) + rLow[j]);
#else
        VEC p = exp2Small(r[j] - base);
#endif
        if (!plain) {
          IVEC k = (IVEC)(panel + j);
          IVEC dead = (k < first) | (k > last);
          for (int c = 0; c < D; c++) {
            d[c] = dead ? (VEC)(0) : d[c];
          }
        }
        part += p;
        for (int c = 0; c < D; c++) {
          partDelta[c] = p * d[c] + partDelta[c];
        }
      }
      sum = sum * factor + part;
      for (int c = 0; c < D; c++) {
        delta[c] = delta[c] * factor + partDelta[c];
      }
#endif
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    REAL deltas[D * VW], ys[D * VW], lows[D * VW], maxima[VW], sums[VW];
    for (int c = 0; c < D; c++) {
      STOREV(delta[c], deltas + c * VW);
      STOREV(yi[c], ys + c * VW);
#if CAREFUL
      STOREV(yLow[c], lows + c * VW);
#endif
    }
    STOREV(maximum, maxima);
    STOREV(sum, sums);
#if HARDMAX
    INTR chosen[VW];
    STOREIV(best, chosen);
#endif
    for (int l = 0; l < VW; l++) {
      int i = row0 + item * VW + l;
      if (i < n) {
        REAL token[D], y[D], yRest[D], value[D];
        for (int c = 0; c < D; c++) {
          token[c] = x[(size_t)i * D + c];
          y[c] = ys[c * VW + l];
          yRest[c] = CAREFUL ? lows[c * VW + l] : (REAL)0;
#if HARDMAX
          size_t at = (size_t)max((int)chosen[l], 0) * D + c;
          value[c] = x[at] - token[c];
#if MIXED
          value[c] += low[at] - low[(size_t)i * D + c];
#endif
          if (chosen[l] == NONE || maxima[l] != maxima[l]) {
            value[c] = (REAL)NAN;
          }
#else
          value[c] = deltas[c * VW + l];
#endif
        }
        moving |= finishRow(
            out + (size_t)i * D, token, y, yRest, value, maxima[l], sums[l],
            lastKey(mask, i) - firstKey(mask, i) + 1, form, plan, head,
            scale[SCALE_HEAD + h * SCALE_PER_HEAD + 2], matrices, h) << l;
      }
    }
  }

  int below = 0, firstBelow = NONE;
  for (int l = VW - 1; l >= 0; l--) {
    int i = row0 + item * VW + l;
    if (i < n && (moving >> l & 1)) {
      REAL speed = 0;
      for (int c = 0; c < D; c++) {
        REAL v = out[(size_t)i * D + c] * LIFT;
        speed += v * v;
      }
      if (speed < (SMALLEST * LIFT) * (SMALLEST * LIFT)) {
        below++;
        firstBelow = i;
      }
    }
  }
#if STAGED
  belowOf[item] = firstBelow;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    below = 0;
    firstBelow = NONE;
    for (int k = WG - 1; k >= 0; k--) {
      if (belowOf[k] != NONE) {
        below++;
        firstBelow = belowOf[k];
      }
    }
    countBelow(small, replica, blocks, (int)(unit - slot * blocks), below, firstBelow);
  }
#else
  countBelow(small, replica, blocks, (int)(unit - slot * blocks), below, firstBelow);
#endif
}
