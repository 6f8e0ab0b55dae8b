/*
 * attend_blocks: attention output or velocity of row blocks, for CPU devices and D > 8.
 *
 *   x, out     [R][n][D]   positions; field (op 0: u_i, op 1: velocity of the slot's geometry)
 *   keys                   packed positions (pack.cl)
 *   plan, scale, matrices  layer of each slot (plan.cl); a dense matrix M[D][D] is stored as
 *                          [DP / NR][D][NR] with M = S (rows first index) or M = V transposed
 *   small      [R][ceil(n / BM)][2]  tokens whose field is non-zero but below SMALLEST are added to
 *              the count of their block, and the first of them kept (countBelow in plan.cl)
 *
 * A unit is a block of BM rows of one slot (units: slots * ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: BM (D + DP + BN) + BN NR numbers, BM D more with
 * TILE DIFFERENCE.
 * Defines: those of blocks.cl with TILE PRODUCT or DIFFERENCE, HARDMAX 0|1 (needs DIFFERENCE).
 *
 * Scores: y_i = beta log2(e) S^T x_i; s_ij = <y_i, x_j>, or relative to self, <y_i, x_j - x_i>, with
 * DIFFERENCE: exact where tokens nearly coincide, better where |y| is large. The sum runs over
 * j != i relative to the running maximum over j != i; the self score, a compensated dot product,
 * joins at the end (weights.cl). Keys outside a row's interval contribute nothing, not even a NaN,
 * and all sums of a row run in key order in panels aligned to multiples of BN: deterministic, and
 * a row depends on nothing behind its last key.
 */
/* Keys summed before they are added to the sum of a panel; divides BN. */
#define SUM 32

#define CLEAR_(r)                                                                  \
  STOREV((VEC)(0), t + r * NR);                                                    \
  STOREV((VEC)(0), t + r * NR + VW);
#define TOTAL_(r)                                                                  \
  STOREV(LOADV(o + r * DP) + LOADV(t + r * NR), o + r * DP);                       \
  STOREV(LOADV(o + r * DP + VW) + LOADV(t + r * NR + VW), o + r * DP + VW);
#define GUARDED_ROW_(r)                                                            \
  if (j >= first[r] && j <= last[r]) {                                             \
    PANEL_ROW_(r)                                                                  \
  }

/* As addPrivatePanel for the keys from .. to, but of row r only those in first[r] .. last[r]. */
void addGuardedPanel(
    const REAL *p,
    const REAL *m,
    int from,
    int to,
    const int *first,
    const int *last,
    REAL *o) {
  int stride = BN, width = NR;
  EACH_ROW(DECLARE_)
  for (int j = from; j <= to; j++, p++, m += NR) {
    VEC u = LOADV(m), v = LOADV(m + VW);
    EACH_ROW(GUARDED_ROW_)
  }
  EACH_ROW(PANEL_ADD_)
}

/*
 * o[r] += sum over the keys of a panel of p[r][j - panel] v[j - panel] for six rows and NR coordinates; keys
 * outside first[r] .. last[r] are left out of row r. Short sums inside a longer one keep the rounding
 * of equal terms below that of the result.
 */
void addValues(
    const REAL *p,
    const REAL *v,
    int panel,
    int panelEnd,
    const int *first,
    const int *last,
    REAL *o) {
  int from = max(first[0], panel), to = min(last[MR - 1], panelEnd);
  REAL t[MR * NR];
  EACH_ROW(CLEAR_)
  while (from <= to) {
    int end = min(to, from / SUM * SUM + SUM - 1);
    const REAL *weights = p + from - panel;
    const REAL *tokens = v + (from - panel) * NR;
    if (first[MR - 1] <= from && last[0] >= end) {
      addPrivatePanel(weights, BN, tokens, end - from + 1, t, NR);
    } else {
      addGuardedPanel(weights, tokens, from, end, first, last, t);
    }
    from = end + 1;
  }
  EACH_ROW(TOTAL_)
}

/* column[j - panel][0 .. NR-1] = coordinates c .. c + NR - 1 of the tokens from .. to, 0 from D on. */
void loadColumns(__global const REAL *x, int c, int from, int to, int panel, REAL *column) {
  __global const REAL *token = x + (size_t)from * D + c;
  REAL *v = column + (from - panel) * NR;
  for (int j = from; j <= to; j++, token += D, v += NR) {
    if (c + NR <= D) {
      STOREV(LOADV(token), v);
      STOREV(LOADV(token + VW), v + VW);
    } else {
      for (int a = 0; a < NR; a++) {
        v[a] = c + a < D ? token[a] : (REAL)0;
      }
    }
  }
}

REAL dotRows(const REAL *a, const REAL *b) {
  VEC s = (VEC)(0), t = (VEC)(0);
  for (int c = 0; c < DP; c += NR) {
    s = LOADV(a + c) * LOADV(b + c) + s;
    t = LOADV(a + c + VW) * LOADV(b + c + VW) + t;
  }
  return sumLanes(s + t);
}

void addRow(REAL *a, REAL factor, const REAL *b) {
  for (int c = 0; c < DP; c += VW) {
    STOREV(LOADV(b + c) * (VEC)(factor) + LOADV(a + c), a + c);
  }
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectRow(REAL *y, const REAL *x) {
  REAL norm = dotRows(x, x);
  addRow(y, -dotRows(y, x) / norm, x);
  addRow(y, -dotRows(y, x) / norm, x);
}

int nonZero(const REAL *a) {
  int any = 0;
  for (int c = 0; c < D; c++) {
    any |= a[c] != 0;
  }
  return any;
}

#if !HARDMAX
/* Scores of a panel to powers relative to the new running maximum; the row's sums so far follow. */
void exponentiate(REAL *s, int panel, int a, int b, REAL top, REAL *maximum, REAL *sum, REAL *o) {
  int from = a - (a - panel) % VW;
  if (top == NEGATIVE_INFINITY) {
    /* No finite score: weights 0, unless a score is NaN, which must not vanish. */
    for (int j = from; j <= b; j += VW) {
      VEC x = LOADV(s + j - panel);
      x = x == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : x;
      STOREV(x, s + j - panel);
      *sum += sumLanes(x);
    }
    *maximum = *sum == *sum ? *maximum : *sum;
    return;
  }
  if (!(top <= *maximum)) {
    if (*maximum != NEGATIVE_INFINITY) {
      REAL factor = exp2(*maximum - top);
      *sum *= factor;
      for (int c = 0; c < DP; c += VW) {
        STOREV(LOADV(o + c) * (VEC)(factor), o + c);
      }
    }
    *maximum = top;
  }
  VEC total = (VEC)(0);
  VEC m = (VEC)(*maximum);
  for (int j = from; j <= b; j += VW) {
    VEC p = exp2Small(LOADV(s + j - panel) - m);
    STOREV(p, s + j - panel);
    total += p;
  }
  *sum += sumLanes(total);
}
#else
/* Best score and its key, lane by lane; strictly larger only, so the lowest key of equals stays. A
 * NaN is the best score from where it comes up. */
void keepBest(const REAL *s, int panel, int a, int b, VEC *best, IVEC *bestKey) {
  for (int j = a - (a - panel) % VW; j <= b; j += VW) {
    VEC x = LOADV(s + j - panel);
    IVEC better = (x > *best) | (x != x);
    *bestKey = better ? (IVEC)(j) + LANES : *bestKey;
    *best = better ? x : *best;
  }
}

/* The key of the best lane; NONE where there is none, or a NaN among the scores. */
int bestOf(VEC best, IVEC bestKey) {
  REAL v[VW];
  INTR key[VW];
  STOREV(best, v);
  STOREIV(bestKey, key);
  int b = 0;
  for (int l = 0; l < VW; l++) {
    if (v[l] != v[l]) {
      return NONE;
    }
    if (v[l] > v[b] || (v[l] == v[b] && key[l] < key[b])) {
      b = l;
    }
  }
  return (int)key[b];
}
#endif

__kernel void attend_blocks(
    __global const REAL *x,
    __global const REAL *keys,
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
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int blocks = (n + BM - 1) / BM;
  ulong slot = unit / blocks;
  int row0 = zigzag((int)(unit - slot * blocks), blocks) * BM;
  plan += slot * planStride;
  scale += slot * scaleStride;
  size_t replica = plan[0];
  int keyGroups = (n + NR - 1) / NR;
  x += replica * n * D;
  out += replica * n * D;
  keys += replica * keyGroups * NR * D;
  MASK mask;
  readMask(plan, n, &mask);
  int form = op ? (int)plan[4] : FORM_RAW;
  REAL slope = scale[0];
  int rows = min(BM, n - row0);
  int groups = (rows + MR - 1) / MR;

  REAL q[BM / MR * D * QROW];
  REAL o[BM * DP];
  REAL s[BM * BN];
#if !HARDMAX
  REAL column[BN * NR];
#endif
  REAL work[2 * MR * DP];
  TWO self[BM];
  REAL maximum[BM], sum[BM];
  int first[BM], last[BM], moving[BM];
#if HARDMAX
  VEC best[BM];
  IVEC bestKey[BM];
#endif
  /* Rows from n on get the mask of their index, so that no row's sums depend on n. */
  MASK wide = mask;
  wide.n = mask.causal ? row0 + BM : n;
  for (int r = 0; r < groups * MR; r++) {
    first[r] = firstKey(wide, row0 + r);
    last[r] = lastKey(wide, row0 + r);
    moving[r] = 0;
  }
  int endKey = min(last[groups * MR - 1], n - 1);

  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    REAL sFactor = scale[SCALE_HEAD + h * SCALE_PER_HEAD];
    REAL vFactor = scale[SCALE_HEAD + h * SCALE_PER_HEAD + 2];
    for (int g = 0; g < groups; g++) {
      int tokens[MR];
      for (int r = 0; r < MR; r++) {
        tokens[r] = min(row0 + g * MR + r, n - 1);
      }
      prepareQueries(
          x, tokens, head[0] == DENSE, sFactor, matrices + head[1], work,
          work + MR * DP, q + g * D * QROW, self + g * MR);
    }
    for (int r = 0; r < groups * MR; r++) {
      maximum[r] = NEGATIVE_INFINITY;
      sum[r] = 0;
#if HARDMAX
      best[r] = (VEC)(NEGATIVE_INFINITY);
      bestKey[r] = (IVEC)(NONE);
#endif
    }
    for (int c = 0; c < groups * MR * DP; c++) {
      o[c] = 0;
    }

    for (int panel = first[0] / BN * BN; panel <= endKey; panel += BN) {
      int panelEnd = min(panel + BN - 1, endKey);
      scoreBlock(q, keys, panel, panelEnd, groups, first, last, s);
      for (int r = 0; r < groups * MR; r++) {
        int a = max(first[r], panel);
        int b = min(last[r], panelEnd);
        if (a <= b) {
          REAL *row = s + r * BN;
          REAL top = maskRow(row, panel, a, b, row0 + r, slope, HARDMAX);
#if HARDMAX
          keepBest(row, panel, a, b, best + r, bestKey + r);
#else
          exponentiate(row, panel, a, b, top, maximum + r, sum + r, o + r * DP);
#endif
        }
      }
#if !HARDMAX
      for (int c = 0; c < DP; c += NR) {
        loadColumns(x, c, max(first[0], panel), panelEnd, panel, column);
        for (int g = 0; g < groups; g++) {
          int r0 = g * MR;
          addValues(
              s + r0 * BN, column, panel, panelEnd, first + r0, last + r0, o + r0 * DP + c);
        }
      }
#endif
    }

    for (int g = 0; g < groups; g++) {
      REAL *accumulated = o + g * MR * DP;
      int dense = head[2] == DENSE;
      REAL token[DP];
      if (dense) {
        for (int r = 0; r < MR; r++) {
          loadToken(x + (size_t)min(row0 + g * MR + r, n - 1) * D, work + MR * DP + r * DP);
        }
      }
#if HARDMAX
      int chosen[MR];
      for (int r = 0; r < MR; r++) {
        int i = min(row0 + g * MR + r, n - 1);
        chosen[r] = bestOf(best[g * MR + r], bestKey[g * MR + r]);
        if (chosen[r] != NONE && (form == FORM_RAW || chosen[r] != i)) {
          loadToken(x + (size_t)chosen[r] * D, accumulated + r * DP);
          if (form != FORM_RAW) {
            loadToken(x + (size_t)i * D, token);
            addRow(accumulated + r * DP, -1, token);
          }
        }
      }
#else
      if (form == FORM_RESCALED) {
        for (int r = 0; r < MR; r++) {
          loadToken(x + (size_t)min(row0 + g * MR + r, n - 1) * D, token);
          addRow(accumulated + r * DP, -sum[g * MR + r], token);
        }
      }
#endif
      if (dense) {
        timesMatrix(accumulated, matrices + head[3], work);
        for (int c = 0; c < MR * DP; c++) {
          accumulated[c] = work[c];
        }
        timesMatrix(work + MR * DP, matrices + head[3], work);
      }
      for (int r = 0; r < MR && g * MR + r < rows; r++) {
        int i = row0 + g * MR + r;
        REAL *y = accumulated + r * DP;
        loadToken(x + (size_t)i * D, token);
        REAL *selfValue = dense ? work + r * DP : token;
        REAL factor, selfFactor;
#if HARDMAX
        factor = chosen[r] == NONE ? (REAL)NAN : (REAL)1;
        selfFactor = form == FORM_SPHERE;
#else
        TWO zero = (TWO)(0);
        factorsOf(
            (int)plan[5], maximum[g * MR + r], sum[g * MR + r],
            TILE == DIFFERENCE ? zero : self[g * MR + r],
            TILE == DIFFERENCE ? self[g * MR + r] : zero,
            min(last[g * MR + r], n - 1) - first[g * MR + r] + 1, &factor, &selfFactor);
#endif
        if (form == FORM_SPHERE) {
          projectRow(y, token);
          if (dense) {
            projectRow(selfValue, token);
          }
        }
        int withSelf = form == FORM_RAW || (form == FORM_SPHERE && dense);
        moving[g * MR + r] |= vFactor != 0 && (nonZero(y) || (withSelf && nonZero(selfValue)));
        for (int c = 0; c < DP; c += VW) {
          STOREV(LOADV(y + c) * (VEC)(factor), y + c);
        }
        if (withSelf) {
          addRow(y, selfFactor, selfValue);
        }
        __global REAL *to = out + (size_t)i * D;
        for (int c = 0; c < D; c++) {
          to[c] = h == 0 ? vFactor * y[c] : to[c] + vFactor * y[c];
        }
      }
    }
  }

  int below = 0, firstBelow = NONE;
  for (int r = rows - 1; r >= 0; r--) {
    REAL speed = 0;
    __global const REAL *v = out + (size_t)(row0 + r) * D;
    for (int c = 0; c < D; c++) {
      speed += (v[c] * LIFT) * (v[c] * LIFT);
    }
    if (moving[r] && speed < (SMALLEST * LIFT) * (SMALLEST * LIFT)) {
      below++;
      firstBelow = row0 + r;
    }
  }
  countBelow(small, replica, blocks, (int)(unit - slot * blocks), below, firstBelow);
}
