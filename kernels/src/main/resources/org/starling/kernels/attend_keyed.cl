/*
 * attend_keyed: sums over keys that differ, of one head, for every device and D: keys have weights, the
 * first ones are seen by all behind them whatever the window, and one more key, the sink, has a score of
 * its own and stands nowhere among the tokens. Untested on GPUs.
 *
 *   x, y        [R][n][D]    positions; queries y_i = beta log2(e) S^T x_i (transform.cl)
 *   sums        [R][n][D]    sum over live j != i of a_j/a_i 2^(s_ij - m_i) (x_j - x_i), s relative to the
 *                            self score, and 2^(b - m_i) z of the sink; plus x_i times the weights of
 *                            tokens where the field has a self term
 *   state       [R][n][4]    m_i (the sink's score included), sum of the weights, self score as a sum of
 *                            two; unnormalised, it has the log of a_i over the mean live weight in it
 *   keys        [slots][n + 1 + D + 1]  weights a_j > 0 [n], the sink's score b in units of ln 2
 *                            (-infinity: none), where it stands: z [D], the head's own slope in those units
 *   plan, scale              as in attend_blocks.cl; plan[7]: how many first keys every row sees
 *
 * A unit is ROWS = RV * VW rows of one slot (units: slots ceil(n / ROWS)); one work-item a unit, any
 * work-group size, no local memory. Private memory: (3 D + 2 BN) ROWS numbers.
 * Defines: those of real.cl, D, RV, BN (keys of a panel). Not for hardmax. Deterministic; a row depends
 * on nothing behind its last key.
 */
#define ROWS (RV * VW)

int liveKey(MASK mask, int visible, int i, int j) {
  return j <= lastKey(mask, i) && (j >= firstKey(mask, i) || j < visible);
}

__kernel void attend_keyed(
    __global const REAL *x,
    __global const REAL *y,
    __global REAL *sums,
    __global REAL *state,
    __global const REAL *keys,
    __global const long *plan,
    __global const REAL *scale,
    int planStride,
    int scaleStride,
    int n,
    int h,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int blocks = (n + ROWS - 1) / ROWS;
  ulong slot = unit / blocks;
  int row0 = zigzag((int)(unit - slot * blocks), blocks) * ROWS;
  plan += slot * planStride;
  if (h >= (int)plan[6]) {
    return;
  }
  __global const REAL *weight = keys + slot * ((size_t)n + 2 + D);
  REAL sinkScore = weight[n];
  __global const REAL *place = weight + n + 1;
  REAL slope = scale[slot * scaleStride] + place[D];
  int visible = (int)plan[7];
  MASK mask;
  readMask(plan, n, &mask);
  size_t base = (size_t)plan[0] * n;
  x += base * D;
  y += base * D;
  sums += base * D;
  state += base * 4;

  /* The rows' tokens; rows behind the last repeat it and are not stored. */
  int token[ROWS];
  REAL own[D * ROWS], query[D * ROWS], acc[D * ROWS], inverse[ROWS], mass[ROWS], sinks[ROWS];
  REAL number[BN * ROWS], score[BN * ROWS];
  TWO self[ROWS];
  for (int r = 0; r < ROWS; r++) {
    int i = min(row0 + r, n - 1);
    token[r] = i;
    inverse[r] = 1 / weight[i];
    mass[r] = 0;
    self[r] = (TWO)(0);
    for (int c = 0; c < D; c++) {
      own[c * ROWS + r] = x[(size_t)i * D + c];
      query[c * ROWS + r] = y[(size_t)i * D + c];
      acc[c * ROWS + r] = 0;
      self[r] = addProduct(self[r], query[c * ROWS + r], own[c * ROWS + r]);
    }
    sinks[r] = sinkScore == NEGATIVE_INFINITY
                   ? NEGATIVE_INFINITY
                   : (sinkScore - self[r].hi) - self[r].lo - log2(weight[i]);
  }
  VEC maximum[RV], sum[RV];
  for (int v = 0; v < RV; v++) {
    maximum[v] = LOADV(sinks + v * VW);
    sum[v] = (VEC)(0);
  }

  int lastOfAll = lastKey(mask, token[ROWS - 1]);
  for (int panel = 0; panel <= lastOfAll; panel += BN) {
    int count = min(BN, n - panel);
    for (int k = 0; k < count; k++) {
      int j = panel + k;
      REAL a = weight[j];
      for (int r = 0; r < ROWS; r++) {
        int i = token[r];
        REAL live = liveKey(mask, visible, i, j) ? a : (REAL)0;
        mass[r] += live;
        number[k * ROWS + r] = j == i ? (REAL)0 : live * inverse[r];
        score[k * ROWS + r] = -slope * (REAL)(i - j);
      }
    }
    VEC top[RV];
    for (int v = 0; v < RV; v++) {
      top[v] = maximum[v];
    }
    for (int k = 0; k < count; k++) {
      __global const REAL *at = x + (size_t)(panel + k) * D;
      for (int v = 0; v < RV; v++) {
        int e = k * ROWS + v * VW;
        VEC s = (VEC)(0);
        for (int c = 0; c < D; c++) {
          s = fma(LOADV(query + c * ROWS + v * VW), (VEC)(at[c]) - LOADV(own + c * ROWS + v * VW), s);
        }
        s += LOADV(score + e);
        VEC live = LOADV(number + e);
        s = live > (VEC)(0) ? s : (VEC)(NEGATIVE_INFINITY);
        STOREV(s, score + e);
        top[v] = s > top[v] ? s : top[v];
      }
    }
    for (int v = 0; v < RV; v++) {
      /* A row without a finite score so far: everything relative to 0. */
      VEC zero = top[v] == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : top[v];
      VEC factor = exp2Small(maximum[v] - zero);
      VEC part = (VEC)(0);
      for (int k = 0; k < count; k++) {
        int e = k * ROWS + v * VW;
        VEC p = LOADV(number + e) * exp2Small(LOADV(score + e) - zero);
        STOREV(p, score + e);
        part += p;
      }
      sum[v] = fma(sum[v], factor, part);
      for (int c = 0; c < D; c++) {
        STOREV(LOADV(acc + c * ROWS + v * VW) * factor, acc + c * ROWS + v * VW);
      }
      maximum[v] = top[v];
    }
    for (int k = 0; k < count; k++) {
      __global const REAL *at = x + (size_t)(panel + k) * D;
      for (int v = 0; v < RV; v++) {
        VEC p = LOADV(score + k * ROWS + v * VW), live = LOADV(number + k * ROWS + v * VW);
        for (int c = 0; c < D; c++) {
          int e = c * ROWS + v * VW;
          VEC a = LOADV(acc + e);
          /* Not a product with 0: a key behind a row may hold anything. */
          a = live > (VEC)(0) ? fma(p, (VEC)(at[c]) - LOADV(own + e), a) : a;
          STOREV(a, acc + e);
        }
      }
    }
  }

  REAL tops[ROWS], totals[ROWS];
  for (int v = 0; v < RV; v++) {
    STOREV(maximum[v], tops + v * VW);
    STOREV(sum[v], totals + v * VW);
  }
  int dense = plan[PLAN_HEAD + h * PLAN_PER_HEAD + 2] == DENSE;
  int form = op ? (int)plan[4] : FORM_RAW;
  int withSelf = form == FORM_RAW || dense;
  for (int r = 0; r < ROWS && row0 + r < n; r++) {
    size_t i = token[r];
    REAL sink = sinkScore == NEGATIVE_INFINITY ? (REAL)0 : exp2(sinks[r] - tops[r]);
    for (int c = 0; c < D; c++) {
      REAL a = acc[c * ROWS + r];
      a = withSelf ? fma(totals[r], own[c * ROWS + r], a) : a;
      sums[i * D + c] = sinkScore == NEGATIVE_INFINITY ? a : fma(sink, place[c], a);
    }
    TWO s = self[r];
    if ((int)plan[5] == UNNORMALISED) {
      /* What follows divides by the number of keys from the first to the last. */
      REAL spanned = (REAL)(lastKey(mask, (int)i) - firstKey(mask, (int)i) + 1);
      s = addProduct(s, log2(weight[i] * spanned / mass[r]), (REAL)1);
    }
    __global REAL *row = state + i * 4;
    row[0] = tops[r];
    row[1] = totals[r] + sink;
    row[2] = s.hi;
    row[3] = s.lo;
  }
}
