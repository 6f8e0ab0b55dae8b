/*
 * Scores and sums over keys for attend_small.cl: one row a lane. Defines: those of attend_small.cl.
 */
#define FOR_EACH(c) _Pragma("unroll") for (int c = 0; c < D; c++)

#if VW > 1
#define ANY(lanes) any(lanes)
#else
#define ANY(lanes) (lanes)
#endif

#if STAGED
#define KEYS __local
#else
#define KEYS __global
#endif

/* Scores further than this from their base, in units of ln 2, move the base. */
#define FAR 8

/*
 * A row, lane by lane: position (x + low in MIXED), query -y_i (y + yLow in CAREFUL), its index and its
 * live keys. Queries and differences both have their signs turned, x_i - x_j, which leaves the key as
 * the operand that comes from memory.
 */
typedef struct {
  VEC x[D];
  VEC y[D];
#if MIXED
  VEC low[D];
#endif
#if CAREFUL
  VEC yLow[D];
#endif
  IVEC index;
  IVEC first;
  IVEC last;
} ROW;

/* (hi, lo) + b and (hi, lo) + a b with the roundings kept, lane by lane. */
void addCarefully(VEC *hi, VEC *lo, VEC b) {
  VEC s = *hi + b;
  VEC t = s - *hi;
  *lo += (*hi - (s - t)) + (b - t);
  *hi = s;
}

void multiplyCarefully(VEC *hi, VEC *lo, VEC a, VEC b) {
#pragma OPENCL FP_CONTRACT OFF
  VEC p = a * b;
  VEC e = fma(a, b, -p);
  addCarefully(hi, lo, p);
  *lo += e;
}

/* The score of a key relative to `base`, and the difference d to it. `bias` is added where used. */
VEC scoreOf(
    const ROW *row,
    KEYS const REAL *key,
    KEYS const REAL *keyLow,
    int biased,
    VEC bias,
    VEC base,
    VEC *d) {
  FOR_EACH(c) {
    d[c] = row->x[c] - (VEC)(key[c]);
#if MIXED
    d[c] = d[c] + (row->low[c] - (VEC)(keyLow[c]));
#endif
  }
#if CAREFUL
  VEC score = (VEC)(0), low = (VEC)(0);
  FOR_EACH(c) {
    /* d is rounded: its remainder is what x_i and x_j leave of it. */
    VEC far = (VEC)(key[c]);
    VEC w = row->x[c] - far;
    VEC t = w - row->x[c];
    VEC rest = (row->x[c] - (w - t)) - (far + t);
#if MIXED
    rest += (row->low[c] - (VEC)(keyLow[c])) - (d[c] - w);
#endif
    multiplyCarefully(&score, &low, row->y[c], d[c]);
    low = row->y[c] * rest + low;
    low = row->yLow[c] * d[c] + low;
  }
  if (biased) {
    addCarefully(&score, &low, bias);
  }
  return (score - base) + low;
#else
  VEC score = -base;
  FOR_EACH(c) {
    score = row->y[c] * d[c] + score;
  }
  return biased ? score + bias : score;
#endif
}

#if HARDMAX
/* The largest score so far and its key, keys from .. to - 1; key k0 is the first in memory. */
void chooseKey(
    const ROW *row,
    KEYS const REAL *key,
    KEYS const REAL *keyLow,
    int k0,
    int from,
    int to,
    REAL slope,
    VEC *highest,
    IVEC *best) {
  for (int j = from; j < to; j++) {
    VEC d[D];
    IVEC k = (IVEC)(j);
    VEC bias = (VEC)(-slope) * TO_VEC(row->index - k);
    VEC score = scoreOf(
        row, key + (j - k0) * D, keyLow + (j - k0) * D, slope != 0, bias, (VEC)(0), d);
    IVEC dead = (k < row->first) | (k > row->last);
    score = dead ? (VEC)(NEGATIVE_INFINITY) : score;
    /* A NaN is the largest from where it comes up. */
    IVEC better = (score > *highest) | (score != score);
    *best = better ? k : *best;
    *highest = better ? score : *highest;
  }
}
#else
/*
 * Adds keys from .. to - 1 to the sums of weights 2^(score - base) and of weights times x_i - x_j, and
 * keeps the largest score - base. `masked` 0 promises that all these keys are live for all lanes,
 * none is the row itself, and slope is 0; the sums are the same bits either way.
 */
void addKeys(
    const ROW *row,
    KEYS const REAL *key,
    KEYS const REAL *keyLow,
    int k0,
    int from,
    int to,
    int masked,
    REAL slope,
    VEC base,
    VEC *highest,
    VEC *sum,
    VEC *delta) {
  for (int j = from; j < to; j++) {
    VEC d[D];
    IVEC k = (IVEC)(j);
    VEC bias = (VEC)(-slope) * TO_VEC(row->index - k);
    VEC score = scoreOf(
        row, key + (j - k0) * D, keyLow + (j - k0) * D, masked && slope != 0, bias, base, d);
    if (masked) {
      IVEC dead = (k < row->first) | (k > row->last);
      FOR_EACH(c) {
        d[c] = dead ? (VEC)(0) : d[c];
      }
      dead |= k == row->index;
      score = dead ? (VEC)(NEGATIVE_INFINITY) : score;
    }
    *highest = score > *highest ? score : *highest;
    VEC w = exp2Small(score);
    *sum += w;
    FOR_EACH(c) {
      delta[c] = w * d[c] + delta[c];
    }
  }
}
#endif
