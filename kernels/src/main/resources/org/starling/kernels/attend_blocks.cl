/*
 * attend_blocks: attention output or velocity of row blocks, for CPU devices and D > 8.
 *
 *   positions  [R][n][D]   with HALF only
 *   keys                   packed positions (pack.cl, groups of KEYS; with HALF pack_half.cl)
 *   out        [R][n][D]   field (op 0: u_i, op 1: velocity of the slot's geometry)
 *   plan, scale, matrices  layer of each slot (plan.cl); a dense matrix M[D][D] is stored as
 *                          [DP / KEYS][D][KEYS] with M = S (rows first index) or M = V transposed
 *   small      [R][ceil(n / BM)][2]  tokens whose field is non-zero but below SMALLEST are added to
 *              the count of their block, and the first of them kept (countBelow in plan.cl)
 *
 * A unit is a block of BM rows of one slot (units: slots * ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: 3 BM DP + (BN + DP) ROWS numbers, and BN DP more with
 * HALF.
 * Defines: those of row_tiles.cl and key_panels.cl; BM, a multiple of ROWS.
 *
 * Scores: y_i = beta log2(e) S^T x_i; s_ij = <y_i, x_j>, or relative to self, <y_i, x_j - x_i>, with
 * DIFFERENCE: exact where tokens nearly coincide, better where |y| is large. The sum runs over
 * j != i relative to the running maximum over j != i; the self score, a compensated dot product,
 * joins at the end (weights.cl). Keys outside a row's interval contribute nothing, not even a NaN,
 * and all sums of a row run in key order in panels aligned to multiples of BN: deterministic, and
 * a row depends on nothing behind its last key.
 *
 * With HALF (float32, without HARDMAX: rounding would choose between near keys) others' keys and values
 * are y_j, x_j rounded to half; a row's own token is not. So the sums are exactly those of
 * Delta_i = sum over j != i of w_ij (y_j - x_i) with s_ij = <beta S^T x_i, y_j>, while the self score and
 * the self term belong to x_i: the self term still projects to exactly 0 for V = c I, and where w_ii is
 * nearly 1 a velocity keeps its digits, as it would not with w_ii (y_i - x_i) in the sum. Errors of keys
 * in one cluster average out, and tokens that coincide in half still draw together, each to the common
 * y_j. A velocity is continuous in its own token and piecewise constant in the others.
 */
#define TILES (BM / ROWS)
#if HALF
#define PACKED half
#else
#define PACKED REAL
#endif

/*
 * The field of a tile from its sums o[DP][NV], added to what earlier heads left in `out`. values and
 * ownValues: [DP][NV] numbers to work in. Flags the rows that move.
 */
void finishTile(
    __global const REAL *matrices,
    __global const PACKED *keys,
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
#if HALF
    __global const REAL *positions,
#endif
    __global const PACKED *keys,
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
#if HALF
  positions += replica * n * D;
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
