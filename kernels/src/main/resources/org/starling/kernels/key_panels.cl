/*
 * A tile of rows against a panel of keys: scores, mask, running maximum, weights and the sums of values
 * of one head, for attend_blocks.cl.
 *
 * Defines besides those of row_tiles.cl: BN, keys of a panel, a multiple of KEYS and of SUM; TILE: 0
 * PRODUCT, 1 DIFFERENCE; HARDMAX 0|1 (needs DIFFERENCE).
 */
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

/* Key k of what a tile reads: a panel that begins with key `panel`, or all packed keys. */
#if HALF
#define FROM_KEYS(k) ((size_t)((k) - panel) * DP)

/*
 * wide[..][DP][KEYS] = the packed keys from .. to, whole groups, of a panel, in working precision and at
 * their places in the panel. Once for all tiles of a block: they read each number as often as they have
 * rows, from cache, as if it had never been narrow.
 */
void widenPanel(__global const half *keys, int panel, int from, int to, REAL *wide) {
  __global const half *k = keys + (size_t)from * DP;
  int count = (to + 1 - from) * DP;
  wide += FROM_KEYS(from);
  int e = 0;
  for (; e + VW <= count; e += VW) {
    STOREV(JOIN(vload_half, VW)(0, k + e), wide + e);
  }
  for (; e < count; e++) {
    wide[e] = vload_half(e, k);
  }
}
#else
#define FROM_KEYS(k) ((size_t)(k) * DP)
#endif

/* s[j - from][NV] = scores of a tile against the keys from .. to, whole groups. */
void scorePanel(
    KEY *keys, const VEC *y, const VEC *x, int panel, int from, int to, VEC *s) {
  for (int c = 0; c < D; c += KC) {
    int length = min(KC, D - c);
    for (int k = from; k <= to; k += KEYS) {
      KEY *tile = keys + FROM_KEYS(k) + c * KEYS;
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
    KEY *keys,
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
      KEY *tile = keys + FROM_KEYS(k) + c * KEYS;
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
    KEY *keys,
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
  scorePanel(keys, y, x, panel, from, to, s);
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
