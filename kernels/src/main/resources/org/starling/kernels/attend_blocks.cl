/*
 * attend_blocks: attention output or velocity of row blocks, for CPU devices and D > 8.
 *
 *   keys                   packed positions (pack.cl, groups of KEYS)
 *   out        [R][n][D]   field (op 0: u_i, op 1: velocity of the slot's geometry)
 *   plan, scale, matrices  layer of each slot (plan.cl); a dense matrix M[D][D] is stored as
 *                          [DP / KEYS][D][KEYS] with M = S (rows first index) or M = V transposed
 *   small      [R][ceil(n / BM)][2]  tokens whose field is non-zero but below SMALLEST are added to
 *              the count of their block, and the first of them kept (countBelow in plan.cl)
 *
 * A unit is a block of BM rows of one slot (units: slots * ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: 3 BM DP + (BN + DP) ROWS numbers.
 * Defines: those of row_tiles.cl; BM, a multiple of ROWS; BN, a multiple of KEYS and of SUM; TILE: 0
 * PRODUCT, 1 DIFFERENCE; HARDMAX 0|1 (needs DIFFERENCE).
 *
 * Scores: y_i = beta log2(e) S^T x_i; s_ij = <y_i, x_j>, or relative to self, <y_i, x_j - x_i>, with
 * DIFFERENCE: exact where tokens nearly coincide, better where |y| is large. The sum runs over
 * j != i relative to the running maximum over j != i; the self score, a compensated dot product,
 * joins at the end (weights.cl). Keys outside a row's interval contribute nothing, not even a NaN,
 * and all sums of a row run in key order in panels aligned to multiples of BN: deterministic, and
 * a row depends on nothing behind its last key.
 */
#define TILES (BM / ROWS)

/* One tile of rows: first row, its rows' live keys, and the running state of a head. */
typedef struct {
  int row0;
  INTR first[ROWS];
  INTR last[ROWS];
  VEC maximum[NV];
  VEC sum[NV];
#if HARDMAX
  IVEC bestKey[NV];
#endif
} TILE_STATE;

/* s[j - from][NV] = scores of a tile against the keys from .. to, whole groups. */
void scorePanel(
    __global const REAL *keys, const VEC *y, const VEC *x, int from, int to, VEC *s) {
  for (int c = 0; c < D; c += KC) {
    int length = min(KC, D - c);
    for (int k = from; k <= to; k += KEYS) {
      __global const REAL *tile = keys + (size_t)k * DP + c * KEYS;
      VEC *into = s + (k - from) * NV;
#if TILE == DIFFERENCE
      differenceTile(tile, y + c * NV, x + c * NV, length, c > 0, into, (VEC)(0));
#else
      multiplyTile(tile, y + c * NV, length, c > 0, into, (VEC)(0));
#endif
    }
  }
}

/*
 * Scores of keys that a row must not see, and of self (but for HARDMAX), become -infinity. Returns
 * whether one of them was no finite number: then the key may hold what must not be multiplied.
 */
int maskPanel(const TILE_STATE *t, int from, int to, VEC *s) {
  IVEC foreign = (IVEC)(0);
  for (int j = from; j <= to; j++) {
    for (int v = 0; v < NV; v++) {
      VEC x = s[(j - from) * NV + v];
      IVEC dead = ((IVEC)(j) < LOADIV(t->first + v * VW)) | ((IVEC)(j) > LOADIV(t->last + v * VW));
#if !HARDMAX
      dead |= (IVEC)(j) == (IVEC)(t->row0 + v * VW) + LANES;
#endif
      foreign |= dead & ((x - x) != (VEC)(0));
      s[(j - from) * NV + v] = dead ? (VEC)(NEGATIVE_INFINITY) : x;
    }
  }
  INTR lanes[VW];
  STOREIV(foreign, lanes);
  INTR any = 0;
  for (int l = 0; l < VW; l++) {
    any |= lanes[l];
  }
  return any != 0;
}

void addBias(const TILE_STATE *t, int from, int to, REAL slope, VEC *s) {
  for (int j = from; j <= to; j++) {
    for (int v = 0; v < NV; v++) {
      s[(j - from) * NV + v] -=
          (VEC)(slope) * TO_VEC((IVEC)(t->row0 + v * VW - j) + LANES);
    }
  }
}

#if HARDMAX
/* Best score and its key; strictly larger only, so the lowest key of equals stays. A NaN is the best
 * score from where it comes up, and its row has no key. */
void keepBest(TILE_STATE *t, int from, int to, const VEC *s) {
  for (int v = 0; v < NV; v++) {
    VEC best = t->maximum[v];
    IVEC key = t->bestKey[v];
    for (int j = from; j <= to; j++) {
      VEC x = s[(j - from) * NV + v];
      IVEC better = (x > best) | (x != x);
      key = better ? (x == x ? (IVEC)(j) : (IVEC)(NONE)) : key;
      best = better ? x : best;
    }
    t->maximum[v] = best;
    t->bestKey[v] = key;
  }
}
#else
/*
 * Scores to powers relative to the new running maximum, and their sum; `factor` is what sums so far
 * are to be multiplied by.
 */
void exponentiate(TILE_STATE *t, int panel, int from, int to, VEC *s, VEC *factor) {
  VEC top[NV], part[NV];
  EACH(v, NV) { top[v] = t->maximum[v]; }
  REPEAT(int j = 0; j <= to - from; j++) {
    EACH(v, NV) {
      VEC x = s[j * NV + v];
      top[v] = x > top[v] ? x : top[v];
    }
  }
  EACH(v, NV) {
    /* Without a finite score weights are 0, unless a score is NaN, which must not vanish. */
    VEC before = t->maximum[v];
    t->maximum[v] = top[v];
    top[v] = top[v] == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : top[v];
    factor[v] = exp2Small(before - top[v]);
    t->sum[v] *= factor[v];
  }
  for (int k = from; k <= to;) {
    int end = min(to, panel + (k - panel) / SUM * SUM + SUM - 1);
    EACH(v, NV) { part[v] = (VEC)(0); }
    VEC *row = s + (k - from) * NV;
    REPEAT(; k <= end; k++, row += NV) {
      EACH(v, NV) {
        VEC p = exp2Small(row[v] - top[v]);
        row[v] = p;
        part[v] += p;
      }
    }
    EACH(v, NV) { t->sum[v] += part[v]; }
  }
}

/* o[DP][NV] = o factor + weights times the keys from .. to of a panel, whole groups. */
void addPanel(
    __global const REAL *keys,
    const TILE_STATE *t,
    int panel,
    int from,
    int to,
    const VEC *p,
    const VEC *factor,
    int guarded,
    VEC *o) {
  VEC one[NV];
  IVEC first[NV], last[NV];
  for (int v = 0; v < NV; v++) {
    one[v] = (VEC)(1);
  }
  for (int c = 0; c < DP; c += KEYS) {
    for (int k = from; k <= to;) {
      int end = min(to, panel + (k - panel) / SUM * SUM + SUM - 1);
      __global const REAL *tile = keys + (size_t)k * DP + c * KEYS;
      const VEC *weights = p + (k - from) * NV;
      const VEC *f = k == from ? factor : one;
      if (guarded) {
        for (int v = 0; v < NV; v++) {
          first[v] = LOADIV(t->first + v * VW) - (IVEC)(k);
          last[v] = LOADIV(t->last + v * VW) - (IVEC)(k);
        }
        addGuarded(tile, weights, end - k + 1, first, last, f, o + c * NV);
      } else {
        addTile(tile, weights, end - k + 1, f, o + c * NV, (VEC)(0));
      }
      k = end + 1;
    }
  }
}
#endif

/* All keys of a panel that a tile sees. */
void visitPanel(
    __global const REAL *keys,
    const VEC *y,
    const VEC *x,
    int panel,
    int endKey,
    REAL slope,
    TILE_STATE *t,
    VEC *s,
    VEC *o) {
  int a = max((int)t->first[0], panel);
  int b = min(min((int)t->last[ROWS - 1], panel + BN - 1), endKey);
  if (a > b) {
    return;
  }
  int from = a / KEYS * KEYS, to = b / KEYS * KEYS + KEYS - 1;
  scorePanel(keys, y, x, from, to, s);
  if (slope != 0) {
    addBias(t, from, to, slope, s);
  }
  int guarded = 0;
  if (t->first[ROWS - 1] > from || t->last[0] < to
      || (from < t->row0 + ROWS && to >= t->row0)) {
    guarded = maskPanel(t, from, to, s);
  }
#if HARDMAX
  keepBest(t, from, to, s);
#else
  VEC factor[NV];
  exponentiate(t, panel, from, to, s, factor);
  addPanel(keys, t, panel, from, to, s, factor, guarded, o);
#endif
}

/*
 * The field of a tile from its sums o[DP][NV], added to what earlier heads left in `out`. values and
 * ownValues: [DP][NV] numbers to work in. Flags the rows that move.
 */
void finishTile(
    __global const REAL *matrices,
    __global const REAL *keys,
    __global REAL *out,
    __global const long *plan,
    __global const long *head,
    const TILE_STATE *t,
    const VEC *x,
    const VEC *selfHi,
    const VEC *selfLo,
    REAL vFactor,
    int form,
    int h,
    int n,
    VEC *values,
    VEC *ownValues,
    VEC *o,
    INTR *moving) {
  int dense = head[2] == DENSE;
  VEC scale[NV], selfScale[NV];
  REAL *scales = (REAL *)scale, *selfScales = (REAL *)selfScale;
#if HARDMAX
  REAL *sums = (REAL *)o;
  for (int r = 0; r < ROWS; r++) {
    INTR key = ((const INTR *)t->bestKey)[r];
    scales[r] = key == NONE ? (REAL)NAN : (REAL)1;
    selfScales[r] = form == FORM_SPHERE;
    int moves = key != NONE && (form == FORM_RAW || key != t->row0 + r);
    __global const REAL *value = keys + (moves ? (size_t)(key / KEYS) * (DP * KEYS) + key % KEYS : 0);
    for (int c = 0; c < DP; c++) {
      REAL own = form == FORM_RAW ? (REAL)0 : ((const REAL *)x)[c * ROWS + r];
      sums[c * ROWS + r] = moves ? value[c * KEYS] - own : (REAL)0;
    }
  }
#else
  for (int r = 0; r < ROWS; r++) {
    REAL sum = ((const REAL *)t->sum)[r];
    TWO self, none = (TWO)(0);
    self.hi = ((const REAL *)selfHi)[r];
    self.lo = ((const REAL *)selfLo)[r];
    factorsOf(
        (int)plan[5], sum == sum ? ((const REAL *)t->maximum)[r] : sum, sum,
        TILE == DIFFERENCE ? none : self, TILE == DIFFERENCE ? self : none,
        (int)(min(t->last[r], (INTR)(n - 1)) - t->first[r] + 1), scales + r, selfScales + r);
  }
  if (form == FORM_RESCALED) {
    VEC less[NV];
    for (int v = 0; v < NV; v++) {
      less[v] = -t->sum[v];
    }
    addRows(o, less, x);
  }
#endif
  VEC *y = o;
  const VEC *own = x;
  if (dense) {
    timesMatrix(o, matrices + head[3], values);
    timesMatrix(x, matrices + head[3], ownValues);
    y = values;
    own = ownValues;
  }
  if (form == FORM_SPHERE) {
    projectRows(y, x);
    if (dense) {
      projectRows(ownValues, x);
    }
  }
  int withSelf = form == FORM_RAW || (form == FORM_SPHERE && dense);
  for (int v = 0; v < NV; v++) {
    IVEC any = (IVEC)(0);
    for (int c = 0; c < D; c++) {
      VEC u = y[c * NV + v];
      any |= u != (VEC)(0);
      u *= scale[v];
      if (withSelf) {
        any |= own[c * NV + v] != (VEC)(0);
        u += selfScale[v] * own[c * NV + v];
      }
      o[c * NV + v] = u * (VEC)(vFactor);
    }
    STOREIV(any, moving + v * VW);
  }
  const REAL *field = (const REAL *)o;
  for (int r = 0; r < ROWS && t->row0 + r < n; r++) {
    __global REAL *to = out + (size_t)(t->row0 + r) * D;
    if (h == 0) {
      for (int c = 0; c < D; c++) {
        to[c] = field[c * ROWS + r];
      }
    } else {
      for (int c = 0; c < D; c++) {
        to[c] += field[c * ROWS + r];
      }
    }
  }
}

/* Whether |v| < SMALLEST. */
int belowRange(__global const REAL *v) {
  REAL speed = 0;
  for (int c = 0; c < D && speed < (SMALLEST * LIFT) * (SMALLEST * LIFT); c++) {
    speed += (v[c] * LIFT) * (v[c] * LIFT);
  }
  return speed < (SMALLEST * LIFT) * (SMALLEST * LIFT);
}

__kernel void attend_blocks(
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
  int block = zigzag((int)(unit - slot * blocks), blocks);
  plan += slot * planStride;
  scale += slot * scaleStride;
  size_t replica = plan[0];
  int groups = (n + KEYS - 1) / KEYS;
  out += replica * n * D;
  keys += replica * groups * (DP * KEYS);
  MASK mask;
  readMask(plan, n, &mask);
  int form = op ? (int)plan[4] : FORM_RAW;
  int rows = min(BM, n - block * BM);
  int tiles = (rows + ROWS - 1) / ROWS;

  VEC x[TILES * DP * NV], y[TILES * DP * NV], o[TILES * DP * NV];
  VEC s[BN * NV], work[DP * NV];
  VEC selfHi[TILES * NV], selfLo[TILES * NV];
  TILE_STATE state[TILES];
  INTR moving[BM], flags[ROWS];
  /* Rows from n on get the mask of their index, so that no row's sums depend on n. */
  MASK wide = mask;
  wide.n = mask.causal ? block * BM + BM : n;
  for (int r = 0; r < tiles * ROWS; r++) {
    TILE_STATE *t = state + r / ROWS;
    t->row0 = block * BM + r / ROWS * ROWS;
    t->first[r % ROWS] = firstKey(wide, block * BM + r);
    t->last[r % ROWS] = lastKey(wide, block * BM + r);
    moving[r] = 0;
  }
  for (int t = 0; t < tiles; t++) {
    loadRows(keys, state[t].row0, groups, x + t * DP * NV);
  }
  int endKey = min((int)state[tiles - 1].last[ROWS - 1], n - 1);

  for (int h = 0; h < (int)plan[6]; h++) {
    __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
    REAL sFactor = scale[SCALE_HEAD + h * SCALE_PER_HEAD];
    REAL vFactor = scale[SCALE_HEAD + h * SCALE_PER_HEAD + 2];
    for (int t = 0; t < tiles; t++) {
      prepareRows(
          x + t * DP * NV, head[0] == DENSE, sFactor, matrices + head[1], y + t * DP * NV,
          selfHi + t * NV, selfLo + t * NV);
      for (int v = 0; v < NV; v++) {
        state[t].maximum[v] = (VEC)(NEGATIVE_INFINITY);
        state[t].sum[v] = (VEC)(0);
#if HARDMAX
        state[t].bestKey[v] = (IVEC)(NONE);
#endif
      }
    }
    for (int c = 0; c < tiles * DP * NV; c++) {
      o[c] = (VEC)(0);
    }
    for (int panel = (int)state[0].first[0] / BN * BN; panel <= endKey; panel += BN) {
      for (int t = 0; t < tiles; t++) {
        int at = t * DP * NV;
        visitPanel(keys, y + at, x + at, panel, endKey, scale[0], state + t, s, o + at);
      }
    }
    for (int t = 0; t < tiles; t++) {
      int at = t * DP * NV;
      finishTile(
          matrices, keys, out, plan, head, state + t, x + at, selfHi + t * NV, selfLo + t * NV,
          vFactor, form, h, n, y + at, work, o + at, flags);
      for (int r = 0; r < ROWS; r++) {
        moving[t * ROWS + r] |= vFactor != 0 ? flags[r] : 0;
      }
    }
  }

  int below = 0, firstBelow = NONE;
  for (int r = rows - 1; r >= 0; r--) {
    if (moving[r] && belowRange(out + (size_t)(block * BM + r) * D)) {
      below++;
      firstBelow = block * BM + r;
    }
  }
  countBelow(small, replica, blocks, block, below, firstBelow);
}
