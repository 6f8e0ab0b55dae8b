/*
 * Blocks of rows against panels of keys, shared by the row-block kernels of CPU devices.
 *
 * Defines besides those of tile.cl: DP (D rounded up to NR), BM (rows of a block, a multiple of MR),
 * KC (coordinates summed before they are added to a score), TILE: 0 PRODUCT <y_i, x_j>, 1 DIFFERENCE
 * <y_i, x_j - x_i>, 2 DISTANCE |x_j - y_i|^2.
 */
#define PRODUCT 0
#define DIFFERENCE 1
#define DISTANCE 2
#define QROW (TILE == DIFFERENCE ? 2 * MR : MR)

/* o[r][.] = rows of p times a packed matrix, in chunks of KC. */
void timesMatrix(const REAL *p, __global const REAL *matrix, REAL *o) {
  for (int c = 0; c < MR * DP; c++) {
    o[c] = 0;
  }
  for (int c = 0; c < DP; c += NR) {
    for (int k = 0; k < D; k += KC) {
      int length = min(KC, D - k);
      addPanel(p + k, DP, matrix + (size_t)c * D + (size_t)k * NR, length, o + c, DP);
    }
  }
}

/* row[0 .. DP-1] = a token, 0 behind its last coordinate. */
void loadToken(__global const REAL *x, REAL *row) {
  int c = 0;
  for (; c + VW <= D; c += VW) {
    STOREV(LOADV(x + c), row + c);
  }
  for (; c < DP; c++) {
    row[c] = c < D ? x[c] : (REAL)0;
  }
}

/*
 * Queries of six tokens, y_i = factor (S^T x_i or x_i), packed for the score tiles, and their self
 * scores <y_i, x_i>. rows and y are work space of MR * DP numbers each.
 */
void prepareQueries(
    __global const REAL *x,
    const int *tokens,
    int dense,
    REAL factor,
    __global const REAL *matrix,
    REAL *rows,
    REAL *y,
    REAL *q,
    TWO *self) {
  for (int r = 0; r < MR; r++) {
    loadToken(x + (size_t)tokens[r] * D, rows + r * DP);
  }
  if (dense) {
    timesMatrix(rows, matrix, y);
  }
  for (int r = 0; r < MR; r++) {
    self[r].hi = 0;
    self[r].lo = 0;
  }
  for (int c = 0; c < D; c++) {
    for (int r = 0; r < MR; r++) {
      REAL xc = rows[r * DP + c];
      REAL yc = factor * (dense ? y[r * DP + c] : xc);
      q[c * QROW + r] = yc;
#if TILE == DIFFERENCE
      q[c * QROW + MR + r] = xc;
#endif
      self[r] = addProduct(self[r], yc, xc);
    }
  }
}

/*
 * s[r][j - panel] = scores of the rows of `groups` tiles against the keys panel .. panelEnd that lie
 * between first[] of a tile's first row and last[] of its last one; row stride BN, whole tiles of NR
 * keys, so that lanes outside hold values to be masked.
 */
void scoreBlock(
    const REAL *q,
    __global const REAL *keys,
    int panel,
    int panelEnd,
    int groups,
    const int *first,
    const int *last,
    REAL *s) {
  for (int c = 0; c < D; c += KC) {
    int length = min(KC, D - c);
    for (int k = panel; k <= panelEnd; k += NR) {
      __global const REAL *tile = keys + (size_t)k * D + c * NR;
      for (int g = 0; g < groups; g++) {
        if (k <= last[g * MR + MR - 1] && k + NR - 1 >= first[g * MR]) {
          const REAL *y = q + (g * D + c) * QROW;
          REAL *to = s + g * MR * BN + k - panel;
#if TILE == DIFFERENCE
          scoreDifference(y, tile, length, to, c);
#elif TILE == DISTANCE
          scoreDistance(y, tile, length, to, c);
#else
          scoreProduct(y, tile, length, to, c);
#endif
        }
      }
    }
  }
}

/* Applies bias and mask to a row's scores of one panel; lanes outside a .. b, and self, become
 * -infinity. Returns the largest score, self excluded. Vectors without a live key stay untouched. */
REAL maskRow(REAL *s, int panel, int a, int b, int i, REAL slope, int keepSelf) {
  VEC best = (VEC)(NEGATIVE_INFINITY);
  for (int j = a - (a - panel) % VW; j <= b; j += VW) {
    VEC x = LOADV(s + j - panel);
    int inside = j >= a && j + VW - 1 <= b;
    int away = keepSelf || i < j || i >= j + VW;
    if (slope != 0) {
      x = x - (VEC)(slope) * TO_VEC((IVEC)(i - j) - LANES);
    }
    if (!inside || !away) {
      IVEC key = (IVEC)(j) + LANES;
      IVEC dead = (key < (IVEC)(a)) | (key > (IVEC)(b));
      if (!keepSelf) {
        dead |= key == (IVEC)(i);
      }
      x = dead ? (VEC)(NEGATIVE_INFINITY) : x;
    }
    STOREV(x, s + j - panel);
    best = x > best ? x : best;
  }
  return maxLanes(best);
}
