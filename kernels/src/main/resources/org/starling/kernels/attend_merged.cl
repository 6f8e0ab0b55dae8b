/*
 * attend_merged: sums over groups of keys that stand together, of one head, for every device and D.
 * Key j of row i != j stands at the place of its group's leader: a key a group, weighted by the number
 * of its tokens among the live keys of the row, the row's own token apart. Untested on GPUs.
 *
 *   x, y        [R][n][D]     positions; queries y_i = beta log2(e) S^T x_i (transform.cl)
 *   sums        [R][n][D]     sum over live j != i of 2^(s_ij - m_i) (x_j - x_i), s relative to the self
 *                             score; plus x_i times the weights where the field has a self term
 *   state       [R][n][4]     m_i, sum of the weights, self score as a sum of two
 *   groups      [slots][4n+2] number of groups G; group of each token [n]; tokens by group [n]; where
 *                             each group begins [G + 1]; leaders [G], ascending
 *   plan, scale               as in attend_blocks.cl
 *
 * Rows of full masks are leaders, and their sums are given to all tokens of the group; else every token
 * is a row. A unit is ROWS = RV * VW rows of one slot (units: slots ceil(n / ROWS)); one work-item a
 * unit, any work-group size, no local memory. Private memory: (3 D + 2 BN) ROWS numbers.
 * Defines: those of real.cl, D, RV, BN (keys of a panel). Not for alibi or hardmax. Deterministic; a row
 * depends on nothing behind its last key.
 */
#define ROWS (RV * VW)
#define UNROLL 4

/* Tokens of a group before token i. */
int tokensBefore(__global const int *start, __global const int *members, int g, int i) {
  int lo = start[g], hi = start[g + 1], from = lo;
  if (i <= 0) {
    return 0;
  }
  while (lo < hi) {
    int middle = (lo + hi) >> 1;
    if (members[middle] < i) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo - from;
}

__kernel void attend_merged(
    __global const REAL *x,
    __global const REAL *y,
    __global REAL *sums,
    __global REAL *state,
    __global const int *groups,
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
  groups += slot * (4 * (size_t)n + 2);
  int count = groups[0];
  __global const int *groupOf = groups + 1;
  __global const int *members = groupOf + n;
  __global const int *start = members + n;
  __global const int *leaders = start + count + 1;
  MASK mask;
  readMask(plan, n, &mask);
  int together = !mask.causal && mask.prefix == NONE && mask.window == NONE;
  int rows = together ? count : n;
  if (row0 >= rows) {
    return;
  }
  size_t base = (size_t)plan[0] * n;
  x += base * D;
  y += base * D;
  sums += base * D;
  state += base * 4;

  /* The rows' tokens; rows behind the last repeat it and are not stored. */
  int token[ROWS];
  REAL own[D * ROWS], query[D * ROWS], acc[D * ROWS];
  REAL number[BN * ROWS], score[BN * ROWS];
  TWO self[ROWS];
  for (int r = 0; r < ROWS; r++) {
    int row = min(row0 + r, rows - 1);
    int i = together ? leaders[row] : row;
    token[r] = i;
    self[r] = (TWO)(0);
    for (int c = 0; c < D; c++) {
      own[c * ROWS + r] = x[(size_t)i * D + c];
      query[c * ROWS + r] = y[(size_t)i * D + c];
      acc[c * ROWS + r] = 0;
      self[r] = addProduct(self[r], query[c * ROWS + r], own[c * ROWS + r]);
    }
  }
  int first0 = firstKey(mask, token[0]), last0 = lastKey(mask, token[0]);
  int firstEnd = firstKey(mask, token[ROWS - 1]), lastEnd = lastKey(mask, token[ROWS - 1]);
  VEC maximum[RV], sum[RV];
  for (int v = 0; v < RV; v++) {
    maximum[v] = (VEC)(NEGATIVE_INFINITY);
    sum[v] = (VEC)(0);
  }

  for (int panel = 0; panel < count; panel += BN) {
    int keys = min(BN, count - panel);
    if (!together && leaders[panel] > lastEnd) {
      break;
    }
    /* How many live tokens of each group every row sees. */
    for (int k = 0; k < keys; k++) {
      int g = panel + k;
      int live = together ? start[g + 1] - start[g]
                          : tokensBefore(start, members, g, last0 + 1)
                              - tokensBefore(start, members, g, first0);
      for (int r = 0; r < ROWS; r++) {
        number[k * ROWS + r] = live;
      }
    }
    if (!together) {
      for (int j = last0 + 1; j <= lastEnd; j++) {
        int k = groupOf[j] - panel;
        if (k >= 0 && k < keys) {
          for (int r = 0; r < ROWS; r++) {
            number[k * ROWS + r] += j <= lastKey(mask, token[r]) ? (REAL)1 : (REAL)0;
          }
        }
      }
      for (int j = first0; j < firstEnd; j++) {
        int k = groupOf[j] - panel;
        if (k >= 0 && k < keys) {
          for (int r = 0; r < ROWS; r++) {
            number[k * ROWS + r] -= j < firstKey(mask, token[r]) ? (REAL)1 : (REAL)0;
          }
        }
      }
    }
    for (int r = 0; r < ROWS; r++) {
      int k = groupOf[token[r]] - panel;
      if (k >= 0 && k < keys) {
        number[k * ROWS + r] -= (REAL)1;
      }
    }

    VEC top[RV];
    for (int v = 0; v < RV; v++) {
      top[v] = maximum[v];
    }
    for (int k = 0; k < keys; k += UNROLL) {
      __global const REAL *at[UNROLL];
      for (int u = 0; u < UNROLL; u++) {
        at[u] = x + (size_t)leaders[panel + min(k + u, keys - 1)] * D;
      }
      for (int v = 0; v < RV; v++) {
        VEC s[UNROLL];
        for (int u = 0; u < UNROLL; u++) {
          s[u] = (VEC)(0);
        }
        for (int c = 0; c < D; c++) {
          VEC a = LOADV(query + c * ROWS + v * VW), b = LOADV(own + c * ROWS + v * VW);
          for (int u = 0; u < UNROLL; u++) {
            s[u] = fma(a, (VEC)(at[u][c]) - b, s[u]);
          }
        }
        for (int u = 0; u < UNROLL && k + u < keys; u++) {
          int e = (k + u) * ROWS + v * VW;
          VEC live = LOADV(number + e);
          s[u] = live > (VEC)(0) ? s[u] : (VEC)(NEGATIVE_INFINITY);
          STOREV(s[u], score + e);
          top[v] = s[u] > top[v] ? s[u] : top[v];
        }
      }
    }
    for (int v = 0; v < RV; v++) {
      /* A row without a finite score so far: everything relative to 0. */
      VEC zero = top[v] == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : top[v];
      VEC factor = exp2Small(maximum[v] - zero);
      VEC part = (VEC)(0);
      for (int k = 0; k < keys; k++) {
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
    for (int k = 0; k < keys; k += UNROLL) {
      __global const REAL *at[UNROLL];
      int behind = 0;
      for (int u = 0; u < UNROLL; u++) {
        int j = leaders[panel + min(k + u, keys - 1)];
        at[u] = x + (size_t)j * D;
        behind |= j > token[0] || k + u >= keys;
      }
      for (int v = 0; v < RV; v++) {
        VEC p[UNROLL], live[UNROLL];
        for (int u = 0; u < UNROLL; u++) {
          int e = min(k + u, keys - 1) * ROWS + v * VW;
          p[u] = k + u < keys ? LOADV(score + e) : (VEC)(0);
          live[u] = k + u < keys ? LOADV(number + e) : (VEC)(0);
        }
        if (behind && !together) {
          /* Not a product with 0: a key behind a row may hold anything. */
          for (int c = 0; c < D; c++) {
            int e = c * ROWS + v * VW;
            VEC a = LOADV(acc + e), b = LOADV(own + e);
            for (int u = 0; u < UNROLL; u++) {
              a = live[u] > (VEC)(0) ? fma(p[u], (VEC)(at[u][c]) - b, a) : a;
            }
            STOREV(a, acc + e);
          }
          continue;
        }
        for (int c = 0; c < D; c++) {
          int e = c * ROWS + v * VW;
          VEC a = LOADV(acc + e), b = LOADV(own + e);
          for (int u = 0; u < UNROLL; u++) {
            a = fma(p[u], (VEC)(at[u][c]) - b, a);
          }
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
  for (int r = 0; r < ROWS && row0 + r < rows; r++) {
    int g = row0 + r;
    int from = together ? start[g] : 0, to = together ? start[g + 1] : 1;
    for (int m = from; m < to; m++) {
      size_t i = together ? members[m] : token[r];
      for (int c = 0; c < D; c++) {
        REAL a = acc[c * ROWS + r];
        sums[i * D + c] = withSelf ? fma(totals[r], own[c * ROWS + r], a) : a;
      }
      __global REAL *row = state + i * 4;
      row[0] = tops[r];
      row[1] = totals[r];
      row[2] = self[r].hi;
      row[3] = self[r].lo;
    }
  }
}
