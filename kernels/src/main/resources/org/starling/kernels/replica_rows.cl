/*
 * Functions of advance_replicas.cl: the slopes of the rows of a work-item, rows across the lanes of
 * vectors. Defines: those of advance_replicas.cl.
 *
 * Scores relative to self, r_ij = <y_i, x_j - x_i> with y_i = beta log2(e) S^T x_i, and sums of
 * differences x_j - x_i, as in attend_small.cl. CALM rows, whose scores are known to be within
 * +-CALM_SCORE, take powers of two relative to self in one pass, self (2^0, difference 0) among them;
 * others run over j != i relative to the running maximum, and self joins at the end.
 */
/* Loops over coordinates must vanish, for arrays of vectors to live in registers. */
#define EACH(c) _Pragma("unroll") for (int c = 0; c < D; c++)

#if STAGED
#define KEYS __local
#else
#define KEYS
#endif
#define CALM_SCORE ((REAL)100)
#if DOUBLE
#define HIGHEST_EXPONENT 1023.0
#else
#define HIGHEST_EXPONENT 127.0f
#endif
#if VW > 1
#define ANY_LANE(x) any(x)
#else
#define ANY_LANE(x) (x)
#endif
#define ROWS_AT_ONCE (ITEMS * VW)
#define BLOCKS (NMAX / ROWS_AT_ONCE)

/* First row of block b of this item, and all its blocks. */
#define BLOCK_ROW(b) ((b) * ROWS_AT_ONCE + item * VW)
#define EACH_BLOCK(b) for (int b = 0; b < BLOCKS && BLOCK_ROW(b) < n; b++)

/* 2^x for any x; infinite from HIGHEST_EXPONENT on. */
VEC exp2Wide(VEC x) {
  VEC up = x > (VEC)(0) ? x : (VEC)(0);
  VEC root = exp2Inside(up < (VEC)(HIGHEST_EXPONENT) ? (VEC)((REAL)0.5) * up : (VEC)(0));
  VEC rise = up < (VEC)(HIGHEST_EXPONENT) ? root * root : (VEC)(INFINITY);
  return exp2Small(x - up) * rise;
}

/* (hi, lo) + a b with the roundings kept, lane by lane. */
void addProductLanes(VEC *hi, VEC *lo, VEC a, VEC b) {
#pragma OPENCL FP_CONTRACT OFF
  VEC p = a * b;
  VEC e = fma(a, b, -p);
  VEC s = *hi + p;
  VEC t = s - *hi;
  *lo += ((*hi - (s - t)) + (p - t)) + e;
  *hi = s;
}

/* y = M x for a packed matrix stored with rows of x first. */
void applyLanes(__global const REAL *m, const VEC *x, VEC *y) {
  EACH(c) {
    y[c] = (VEC)(0);
    EACH(k) {
      y[c] = x[k] * (VEC)(m[k * PACK + c]) + y[c];
    }
  }
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectLanes(VEC *y, const VEC *x, VEC inverse) {
  for (int pass = 0; pass < 2; pass++) {
    VEC along = (VEC)(0);
    EACH(c) {
      along = y[c] * x[c] + along;
    }
    along = along * inverse;
    EACH(c) {
      y[c] = y[c] - along * x[c];
    }
  }
}

/* firstKey and lastKey of plan.cl, lane by lane. */
IVEC firstKeys(MASK m, IVEC row) {
  IVEC first = row - (IVEC)(m.window == NONE ? m.n : m.window - 1);
  return first < (IVEC)(0) ? (IVEC)(0) : first;
}

IVEC lastKeys(MASK m, IVEC row) {
  IVEC last = (IVEC)(m.n - 1);
  if (m.causal) {
    last = row;
  } else if (m.prefix != NONE) {
    IVEC reach = row > (IVEC)(m.prefix - 1) ? row : (IVEC)(m.prefix - 1);
    last = reach < last ? reach : last;
  }
  IVEC near = row + (IVEC)(m.window == NONE ? m.n : m.window - 1);
  return near < last ? near : last;
}

/* Differences x_j - x_i and the score. */
#define SCORE_(j)                                        \
  VEC d[D];                                              \
  VEC r = (VEC)(0);                                      \
  EACH(c) {                          \
    d[c] = (VEC)(key[c * NMAX + (j)]) - xi[c];           \
    r = c == 0 ? y[c] * d[c] : y[c] * d[c] + r;          \
  }

#define BIASED_(j) r = r - (VEC)(slope) * TO_VEC(row - (IVEC)(j));
#define DEAD_(j) (((IVEC)(j) < first) | ((IVEC)(j) > last))

/* Sums over keys from <= j < to, self among them, of calm rows. */
void sumCalm(
    KEYS const REAL *key, int from, int to, int plain, const VEC *xi, const VEC *y, IVEC row,
    IVEC first, IVEC last, REAL slope, VEC *sum, VEC *delta) {
  for (int panel = from / PANEL * PANEL; panel < to; panel += PANEL) {
    VEC part = (VEC)(0), partDelta[D];
    EACH(c) {
      partDelta[c] = (VEC)(0);
    }
    int start = max(panel, from), end = min(panel + PANEL, to);
    if (plain) {
      for (int j = start; j < end; j++) {
        SCORE_(j)
        VEC p = exp2Inside(r);
        part += p;
        EACH(c) {
          partDelta[c] = p * d[c] + partDelta[c];
        }
      }
    } else {
      for (int j = start; j < end; j++) {
        SCORE_(j)
        BIASED_(j)
        VEC p = exp2Inside(r);
        p = DEAD_(j) ? (VEC)(0) : p;
        part += p;
        EACH(c) {
          partDelta[c] = p * d[c] + partDelta[c];
        }
      }
    }
    *sum += part;
    EACH(c) {
      delta[c] += partDelta[c];
    }
  }
}

/* Sums over live j != i of the keys from <= j < to, relative to 2^maximum. */
void sumWild(
    KEYS const REAL *key, int from, int to, const VEC *xi, const VEC *y, IVEC row, IVEC first,
    IVEC last, REAL slope, VEC *maximum, VEC *sum, VEC *delta) {
  for (int panel = from / PANEL * PANEL; panel < to; panel += PANEL) {
    VEC score[PANEL];
    int start = max(panel, from), end = min(panel + PANEL, to);
    VEC highest = *maximum;
    for (int j = start; j < end; j++) {
      SCORE_(j)
      BIASED_(j)
      r = (DEAD_(j) | ((IVEC)(j) == row)) ? (VEC)(NEGATIVE_INFINITY) : r;
      highest = r > highest ? r : highest;
      score[j - panel] = r;
    }
    /* A row without a key so far is taken relative to 0: all its powers are 0 (a NaN stays). */
    VEC base = highest == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : highest;
    VEC factor = exp2Small(*maximum - base);
    *maximum = highest;
    VEC part = (VEC)(0), partDelta[D];
    EACH(c) {
      partDelta[c] = (VEC)(0);
    }
    for (int j = start; j < end; j++) {
      VEC p = exp2Small(score[j - panel] - base);
      part += p;
      EACH(c) {
        /* A dead key may lie at infinity. */
        VEC d = (VEC)(key[c * NMAX + j]) - xi[c];
        partDelta[c] = p * (DEAD_(j) ? (VEC)(0) : d) + partDelta[c];
      }
    }
    *sum = *sum * factor + part;
    EACH(c) {
      delta[c] = delta[c] * factor + partDelta[c];
    }
  }
}

/*
 * Factors of delta and of the value of self, from a row's maximum and sum: as factorsOf in
 * weights.cl. The self score is needed where weights are not normalised.
 */
void factorsOfLanes(
    int normalisation, VEC maximum, VEC sum, const VEC *y, const VEC *xi, VEC live, VEC *scale,
    VEC *self) {
  if (normalisation == UNNORMALISED) {
    VEC hi = (VEC)(0), lo = (VEC)(0);
    EACH(c) {
      addProductLanes(&hi, &lo, y[c], xi[c]);
    }
    VEC rest = (VEC)(1) + lo * (VEC)(LN2);
    VEC m = hi + maximum;
    VEC t = m - hi;
    VEC more = (hi - (m - t)) + (maximum - t);
    more = maximum == (VEC)(NEGATIVE_INFINITY) ? (VEC)(0) : more;
    *scale = exp2Wide(m) * (rest + more * (VEC)(LN2)) / live;
    *self = exp2Wide(hi) * rest / live;
    return;
  }
  VEC above = maximum > (VEC)(0) ? maximum : (VEC)(0);
  VEC a = exp2Small(maximum - above);
  VEC b = exp2Small(-above);
  VEC z = (VEC)(1) / (a * sum + b);
  /* A NaN among the scores is in the sum, not in the maximum. */
  *scale = a * z;
  *self = b * z;
}

/*
 * Slopes of this item's rows: out [BLOCKS][D]. key [D][NMAX]: all tokens. Counts tokens below range.
 */
void slopesOfRows(
    KEYS const REAL *key,
    int item,
    int n,
    int form,
    int calm,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    VEC *out,
    int *below,
    int *firstBelow) {
  MASK mask;
  readMask(plan, n, &mask);
  REAL slope = scale[0];
  EACH_BLOCK(b) {
    int row0 = BLOCK_ROW(b);
    int top = min(row0 + VW, n) - 1;
    /* Both ends of an interval never decrease with the row. */
    int firstAll = firstKey(mask, row0), firstCommon = firstKey(mask, top);
    int lastAll = lastKey(mask, top), lastCommon = lastKey(mask, row0);
    VEC xi[D];
    EACH(c) {
      xi[c] = LOADV(key + c * NMAX + row0);
    }
    IVEC row = (IVEC)(row0) + LANES;
    row = row < (IVEC)(n) ? row : (IVEC)(n - 1);
    IVEC first = firstKeys(mask, row), last = lastKeys(mask, row);
    VEC norm = (VEC)(0);
    EACH(c) {
      norm = xi[c] * xi[c] + norm;
    }
    VEC field[D];
    EACH(c) {
      field[c] = (VEC)(0);
    }
    IVEC moving = (IVEC)(0);
    for (int h = 0; h < (int)plan[6]; h++) {
      __global const long *head = plan + PLAN_HEAD + h * PLAN_PER_HEAD;
      __global const REAL *factor = scale + SCALE_HEAD + h * SCALE_PER_HEAD;
      VEC y[D];
      if (head[0] == DENSE) {
        applyLanes(matrices + head[1], xi, y);
      } else {
        EACH(c) {
          y[c] = xi[c] * (VEC)(factor[0]);
        }
      }
      VEC sum = (VEC)(0), delta[D], weight, self, inverse;
      EACH(c) {
        delta[c] = (VEC)(0);
      }
      if (calm) {
        int common = slope == 0 && firstCommon <= lastCommon;
        int from = common ? firstCommon : lastAll + 1, to = common ? lastCommon + 1 : lastAll + 1;
        sumCalm(key, firstAll, from, 0, xi, y, row, first, last, slope, &sum, delta);
        sumCalm(key, from, to, 1, xi, y, row, first, last, slope, &sum, delta);
        sumCalm(key, to, lastAll + 1, 0, xi, y, row, first, last, slope, &sum, delta);
        if ((int)plan[5] == UNNORMALISED) {
          VEC none;
          factorsOfLanes(
              UNNORMALISED, (VEC)(0), sum, y, xi, TO_VEC(last - first + (INTR)1), &weight, &none);
          self = weight * sum;
          inverse = (VEC)(1) / norm;
        } else {
          /* One division for both; only the sphere, where |x| is about 1, asks for the second. */
          VEC other = (VEC)(1);
          if (form == FORM_SPHERE) {
            other = norm;
          }
          VEC shared = (VEC)(1) / (other * sum);
          weight = shared * other;
          inverse = shared * sum;
          self = (VEC)(1);
        }
      } else {
        VEC maximum = (VEC)(NEGATIVE_INFINITY);
        sumWild(
            key, firstAll, lastAll + 1, xi, y, row, first, last, slope, &maximum, &sum, delta);
        factorsOfLanes(
            (int)plan[5], maximum, sum, y, xi, TO_VEC(last - first + (INTR)1), &weight, &self);
        self = weight * sum + self;
        inverse = (VEC)(1) / norm;
      }
      VEC v[D], own[D];
      int dense = head[2] == DENSE;
      if (dense) {
        applyLanes(matrices + head[3], delta, v);
        applyLanes(matrices + head[3], xi, own);
      } else {
        EACH(c) {
          v[c] = delta[c];
          own[c] = xi[c];
        }
      }
      if (form == FORM_SPHERE) {
        projectLanes(v, xi, inverse);
        if (dense) {
          projectLanes(own, xi, inverse);
        }
      }
      IVEC moves = (IVEC)(0);
      int withSelf = form == FORM_RAW || dense;
      EACH(c) {
        VEC value = weight * v[c];
        moves |= v[c] != (VEC)(0);
        if (withSelf) {
          value = self * own[c] + value;
          moves |= own[c] != (VEC)(0);
        }
        value = value * (VEC)(factor[2]);
        field[c] += value;
      }
      if (factor[2] != 0) {
        moving |= moves;
      }
    }
    VEC speed = (VEC)(0);
    EACH(c) {
      VEC v = field[c] * (VEC)(LIFT);
      speed = v * v + speed;
      out[b * D + c] = field[c];
    }
    IVEC low = moving & (speed < (VEC)((SMALLEST * LIFT) * (SMALLEST * LIFT)));
    if (ANY_LANE(low)) {
      INTR lanes[VW];
      STOREIV(low, lanes);
      for (int l = 0; l < VW && row0 + l < n; l++) {
        if (lanes[l]) {
          *firstBelow = *below == 0 ? row0 + l : min(*firstBelow, row0 + l);
          (*below)++;
        }
      }
    }
  }
}
