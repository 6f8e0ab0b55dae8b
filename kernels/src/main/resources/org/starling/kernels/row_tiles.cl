/*
 * Register tiles of KEYS keys, or coordinates, by ROWS = NV VW rows: numbers of a packed operand,
 * spread over the lanes, times vectors whose lanes are rows. Sums over coordinates and over keys
 * read the same packed keys.
 *
 * Defines besides those of real.cl: D, coordinates of a token; KEYS; NV, vectors of rows; KC,
 * coordinates summed before they are added to a score; SUM, keys summed before they are added to a
 * row's sum; HALF 0|1, packed keys are numbers of 16 bits.
 * DP is D rounded up to KEYS. Packed keys are [groups][DP][KEYS] (pack.cl, pack_half.cl).
 *
 * `zero` is (VEC)(0): Clang keeps vectors of 64 bytes whole only in functions that are handed one.
 */
#define PRODUCT 0
#define DIFFERENCE 1
#define ROWS (NV * VW)
#define DP ((D + KEYS - 1) / KEYS * KEYS)
#define CELLS (KEYS * NV)

/* Where tiles read keys: in packed ones, or in a panel made of them (widenPanel in key_panels.cl). */
#if HALF
#define KEY const REAL
#else
#define KEY __global const REAL
#endif

/* A loop over a register tile, unrolled so that its arrays are registers; and a loop around it. */
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; i++)
#define REPEAT _Pragma("nounroll") for

/*
 * s[KEYS][NV] = (`more`: +=) the sum over `length` coordinates of k[length][KEYS] times
 * q[length][NV].
 */
void multiplyTile(KEY *k, const VEC *q, int length, int more, VEC *s, VEC zero) {
  VEC a[CELLS];
  EACH(e, CELLS) { a[e] = zero; }
  REPEAT(int c = 0; c < length; c++, k += KEYS, q += NV) {
    EACH(m, KEYS) {
      VEC w = (VEC)(k[m]);
      EACH(v, NV) { a[m * NV + v] = w * q[v] + a[m * NV + v]; }
    }
  }
  if (more) {
    EACH(e, CELLS) { s[e] += a[e]; }
  } else {
    EACH(e, CELLS) { s[e] = a[e]; }
  }
}

/* As multiplyTile with k less own[length][NV] in place of k. */
void differenceTile(
    KEY *k,
    const VEC *q,
    const VEC *own,
    int length,
    int more,
    VEC *s,
    VEC zero) {
  VEC a[CELLS];
  EACH(e, CELLS) { a[e] = zero; }
  REPEAT(int c = 0; c < length; c++, k += KEYS, q += NV, own += NV) {
    EACH(m, KEYS) {
      VEC w = (VEC)(k[m]);
      EACH(v, NV) { a[m * NV + v] = q[v] * (w - own[v]) + a[m * NV + v]; }
    }
  }
  if (more) {
    EACH(e, CELLS) { s[e] += a[e]; }
  } else {
    EACH(e, CELLS) { s[e] = a[e]; }
  }
}

/*
 * o[KEYS][NV] = o factor[NV] + the sum over `count` keys, whole groups, of p[count][NV] times KEYS
 * coordinates of the key; k points at the first of these coordinates of the first group.
 */
void addTile(
    KEY *k, const VEC *p, int count, const VEC *factor, VEC *o, VEC zero) {
  VEC a[CELLS];
  EACH(e, CELLS) { a[e] = zero; }
  REPEAT(int j = 0; j < count; j++, p += NV) {
    KEY *from = k + (size_t)(j / KEYS) * (DP * KEYS) + j % KEYS;
    EACH(m, KEYS) {
      VEC w = (VEC)(from[m * KEYS]);
      EACH(v, NV) { a[m * NV + v] = w * p[v] + a[m * NV + v]; }
    }
  }
  EACH(m, KEYS) {
    EACH(v, NV) { o[m * NV + v] = o[m * NV + v] * factor[v] + a[m * NV + v]; }
  }
}

/* addTile bit for bit, but of each row only the keys first .. last, counted from the first of p:
 * where a key that a row must not see holds something else than numbers. */
void addGuarded(
    KEY *k,
    const VEC *p,
    int count,
    const IVEC *first,
    const IVEC *last,
    const VEC *factor,
    VEC *o) {
  for (int m = 0; m < KEYS; m++) {
    for (int v = 0; v < NV; v++) {
      VEC a = (VEC)(0);
      for (int j = 0; j < count; j++) {
        VEC w = (VEC)(k[(size_t)(j / KEYS) * (DP * KEYS) + m * KEYS + j % KEYS]);
        VEC sum = w * p[j * NV + v] + a;
        a = (((IVEC)(j) >= first[v]) & ((IVEC)(j) <= last[v])) ? sum : a;
      }
      o[m * NV + v] = o[m * NV + v] * factor[v] + a;
    }
  }
}

/* o[DP][NV] = rows p[D][NV] times a matrix packed like keys, [DP / KEYS][D][KEYS]. */
void timesMatrix(const VEC *p, __global const REAL *matrix, VEC *o) {
  for (int c = 0; c < DP; c += KEYS) {
    for (int k = 0; k < D; k += KC) {
      int length = min(KC, D - k);
      __global const REAL *part = matrix + (size_t)c * D + (size_t)k * KEYS;
#if HALF
      REAL own[KC * KEYS];
      for (int e = 0; e < length * KEYS; e++) {
        own[e] = part[e];
      }
      multiplyTile(own, p + k * NV, length, k > 0, o + c * NV, (VEC)(0));
#else
      multiplyTile(part, p + k * NV, length, k > 0, o + c * NV, (VEC)(0));
#endif
    }
  }
}

#if HALF
/* x[DP][NV] = tokens row0 .. row0 + ROWS - 1 of n, 0 behind the last: rows are not rounded to half. */
void loadRows(__global const REAL *positions, int row0, int n, VEC *x) {
  REAL *to = (REAL *)x;
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < DP; c++) {
      int inside = row0 + r < n && c < D;
      to[c * ROWS + r] = inside ? positions[(size_t)(row0 + r) * D + c] : (REAL)0;
    }
  }
}
#else
/* Rows of a tile that lie side by side in a group of keys. */
#define RUN (ROWS % KEYS == 0 ? KEYS : 1)

/* x[DP][NV] = packed tokens row0 .. row0 + ROWS - 1 of `groups` groups, 0 behind the last. */
void loadRows(__global const REAL *keys, int row0, int groups, VEC *x) {
  REAL *to = (REAL *)x;
  for (int r = 0; r < ROWS; r += RUN) {
    int group = (row0 + r) / KEYS;
    __global const REAL *from = keys + (size_t)group * (DP * KEYS) + (row0 + r) % KEYS;
    for (int c = 0; c < DP; c++) {
      for (int t = 0; t < RUN; t++) {
        to[c * ROWS + r + t] = group < groups ? from[c * KEYS + t] : (REAL)0;
      }
    }
  }
}
#endif

/* Row by row <a, b>. */
void dotRows(const VEC *a, const VEC *b, VEC *sum) {
  for (int v = 0; v < NV; v++) {
    VEC s = (VEC)(0), t = (VEC)(0);
    for (int c = 0; c < DP / 2; c++) {
      s = a[2 * c * NV + v] * b[2 * c * NV + v] + s;
      t = a[(2 * c + 1) * NV + v] * b[(2 * c + 1) * NV + v] + t;
    }
    sum[v] = s + t;
  }
}

/* Row by row a += factor b. */
void addRows(VEC *a, const VEC *factor, const VEC *b) {
  for (int c = 0; c < DP; c++) {
    for (int v = 0; v < NV; v++) {
      a[c * NV + v] = b[c * NV + v] * factor[v] + a[c * NV + v];
    }
  }
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectRows(VEC *y, const VEC *x) {
  VEC norm[NV], along[NV];
  dotRows(x, x, norm);
  for (int pass = 0; pass < 2; pass++) {
    dotRows(y, x, along);
    for (int v = 0; v < NV; v++) {
      along[v] = -along[v] / norm[v];
    }
    addRows(y, along, x);
  }
}

/*
 * y = factor (S^T x or x) for ROWS tokens, and their self scores <y, x> as sums hi + lo: one
 * compensated dot product each (Ogita, Rump, Oishi 2005, algorithm Dot2).
 */
void prepareRows(
    const VEC *x,
    int dense,
    REAL factor,
    __global const REAL *matrix,
    VEC *y,
    VEC *selfHi,
    VEC *selfLo) {
#pragma OPENCL FP_CONTRACT OFF
  if (dense) {
    timesMatrix(x, matrix, y);
  }
  for (int v = 0; v < NV; v++) {
    VEC hi = (VEC)(0), lo = (VEC)(0);
    for (int c = 0; c < D; c++) {
      VEC b = x[c * NV + v];
      VEC a = (dense ? y[c * NV + v] : b) * (VEC)(factor);
      y[c * NV + v] = a;
      VEC p = a * b;
      VEC e = fma(a, b, -p);
      VEC sum = hi + p;
      VEC t = sum - hi;
      lo = lo + (((hi - (sum - t)) + (p - t)) + e);
      hi = sum;
    }
    selfHi[v] = hi;
    selfLo[v] = lo;
  }
}
