/*
 * The rows of a block: scores, sums and field of all heads, for attend_blocks.cl, which says what is
 * computed, and for the kernels that make whole steps of blocks.
 *
 * Defines besides those of key_panels.cl: BM, a multiple of ROWS; TILED 0|1: the field goes to
 * out[n][D], or to out[TILES][DP][ROWS] of the block, rows side by side and 0 from coordinate D on.
 */
#define TILES (BM / ROWS)
#if HALF
#define PACKED half
#else
#define PACKED REAL
#endif

#if TILED
#define OUT __global VEC
#define OUT_TILE(out, t) ((out) + (t) * DP * NV)
#else
#define OUT __global REAL
#define OUT_TILE(out, t) (out)
#endif

/*
 * The field of a tile from its sums o[DP][NV], added to what earlier heads left in `out`. values and
 * ownValues: [DP][NV] numbers to work in. Flags the rows that move.
 */
void finishTile(
    __global const REAL *matrices,
    __global const PACKED *keys,
    OUT *out,
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
#if TILED
  for (int e = 0; e < DP * NV; e++) {
    VEC more = e < D * NV ? o[e] : (VEC)(0);
    out[e] = h == 0 ? more : out[e] + more;
  }
#else
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
#endif
}

/* The first row of a block below SMALLEST among those that move, or NONE; adds up how many there are. */
#if TILED
int belowRange(const OUT *out, const INTR *moving, int block, int rows, int *below) {
  int first = NONE;
  for (int t = (rows - 1) / ROWS; t >= 0; t--) {
    for (int v = NV - 1; v >= 0; v--) {
      VEC speed = (VEC)(0);
      for (int c = 0; c < D; c++) {
        VEC u = out[t * DP * NV + c * NV + v] * (VEC)(LIFT);
        speed = u * u + speed;
      }
      IVEC slow = speed < (VEC)((SMALLEST * LIFT) * (SMALLEST * LIFT));
      INTR lanes[VW];
      STOREIV(slow, lanes);
      for (int l = VW - 1; l >= 0; l--) {
        int r = t * ROWS + v * VW + l;
        if (r < rows && moving[r] && lanes[l]) {
          (*below)++;
          first = block * BM + r;
        }
      }
    }
  }
  return first;
}
#else
int belowRange(const OUT *out, const INTR *moving, int block, int rows, int *below) {
  int first = NONE;
  for (int r = rows - 1; r >= 0; r--) {
    const OUT *v = out + (size_t)(block * BM + r) * D;
    REAL speed = 0;
    for (int c = 0; moving[r] && c < D && speed < (SMALLEST * LIFT) * (SMALLEST * LIFT); c++) {
      speed += (v[c] * LIFT) * (v[c] * LIFT);
    }
    if (moving[r] && speed < (SMALLEST * LIFT) * (SMALLEST * LIFT)) {
      (*below)++;
      first = block * BM + r;
    }
  }
  return first;
}
#endif

/*
 * Rows of block `block` of a replica, whose keys begin at `keys`; see attend_blocks.cl. Returns the first
 * token below range or NONE, and how many there are.
 */
int attendBlock(
#if HALF
    __global const REAL *positions,
#endif
    __global const PACKED *keys,
    OUT *out,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int n,
    int op,
    int block,
    int *below) {
  int groups = (n + KEYS - 1) / KEYS;
#if HALF
  REAL panelKeys[BN * DP];
#endif
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
#if HALF
    loadRows(positions, state[t].row0, n, x + t * DP * NV);
#else
    loadRows(keys, state[t].row0, groups, x + t * DP * NV);
#endif
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
#if HALF
      int from = max((int)state[0].first[0], panel) / KEYS * KEYS;
      widenPanel(keys, panel, from, min(endKey, panel + BN - 1) / KEYS * KEYS + KEYS - 1, panelKeys);
      KEY *seen = panelKeys;
#else
      KEY *seen = keys;
#endif
      for (int t = 0; t < tiles; t++) {
        int at = t * DP * NV;
        visitPanel(seen, y + at, x + at, panel, endKey, scale[0], state + t, s, o + at);
      }
    }
    for (int t = 0; t < tiles; t++) {
      int at = t * DP * NV;
      finishTile(
          matrices, keys, OUT_TILE(out, t), plan, head, state + t, x + at, selfHi + t * NV, selfLo + t * NV,
          vFactor, form, h, n, y + at, work, o + at, flags);
      for (int r = 0; r < ROWS; r++) {
        moving[t * ROWS + r] |= vFactor != 0 ? flags[r] : 0;
      }
    }
  }

  *below = 0;
  return belowRange(out, moving, block, rows, below);
}
