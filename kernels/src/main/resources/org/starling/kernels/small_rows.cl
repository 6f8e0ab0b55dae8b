/*
 * From sums over keys to the field of a row, for attend_small.cl: one row a lane. Defines: those of
 * attend_small.cl.
 */

/* y = M x for a packed matrix stored with rows of x first. */
void applyMatrix(__global const REAL *m, const VEC *x, VEC *y) {
  FOR_EACH(c) {
    y[c] = (VEC)(0);
    FOR_EACH(k) {
      y[c] += x[k] * (VEC)(m[k * PACK + c]);
    }
  }
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectSmall(VEC *y, const VEC *x) {
  for (int pass = 0; pass < 2; pass++) {
    VEC along = (VEC)(0), norm = (VEC)(0);
    FOR_EACH(c) {
      along += y[c] * x[c];
      norm += x[c] * x[c];
    }
    VEC ratio = along / norm;
    FOR_EACH(c) {
      y[c] -= ratio * x[c];
    }
  }
}

/* The query of a row for one head, with its sign turned. */
void readQuery(
    ROW *row,
    __global const long *head,
    __global const REAL *sFactor,
    __global const REAL *matrices) {
  __global const REAL *m = matrices + head[1];
  int dense = head[0] == DENSE;
  FOR_EACH(c) {
#if CAREFUL
    VEC hi = (VEC)(0), lo = (VEC)(0);
    if (dense) {
      FOR_EACH(k) {
        multiplyCarefully(&hi, &lo, (VEC)(m[k * PACK + c]), row->x[k]);
        lo += (VEC)(m[(D + k) * PACK + c]) * row->x[k];
#if MIXED
        lo += (VEC)(m[k * PACK + c]) * row->low[k];
#endif
      }
    } else {
      multiplyCarefully(&hi, &lo, (VEC)(sFactor[0]), row->x[c]);
      lo += (VEC)(sFactor[1]) * row->x[c];
#if MIXED
      lo += (VEC)(sFactor[0]) * row->low[c];
#endif
    }
    VEC y = hi + lo;
    row->yLow[c] = (y - hi) - lo;
    row->y[c] = -y;
#else
    VEC y = (VEC)(0);
    if (dense) {
      FOR_EACH(k) {
        y = (VEC)(m[k * PACK + c]) * row->x[k] + y;
      }
    } else {
      y = row->x[c] * sFactor[0];
    }
    row->y[c] = -y;
#endif
  }
}

#if !HARDMAX
/*
 * Factors of a row's sums and the weight of the row itself. base, sum: as addKeys leaves them, scores
 * relative to self, base a whole number; sum in [1, 2) or 0, and then no other key is live. Softmax
 * meets the self score, 0, in the log domain, so neither exponential can overflow.
 */
void factorsOfRow(
    const ROW *row, int normalisation, VEC base, VEC sum, VEC *factor, VEC *selfWeight) {
  if (normalisation == UNNORMALISED) {
    VEC live = TO_VEC(row->last - row->first + 1);
    IVEC e = AS_IVEC(live) >> MANTISSA_BITS;
    VEC part = AS_VEC(e << MANTISSA_BITS) / live;
    VEC hi = (VEC)(0), lo = (VEC)(0);
    FOR_EACH(c) {
      multiplyCarefully(&hi, &lo, -row->y[c], row->x[c]);
#if MIXED
      lo -= row->y[c] * row->low[c];
#endif
#if CAREFUL
      lo -= row->yLow[c] * row->x[c];
#endif
    }
    addCarefully(&hi, &lo, TO_VEC(EXPONENT_BIAS - e));
    *selfWeight = part * exp2(hi) * ((VEC)(1) + (VEC)(LN2) * lo);
    addCarefully(&hi, &lo, base);
    VEC others = part * exp2(hi) * ((VEC)(1) + (VEC)(LN2) * lo);
    *factor = sum == (VEC)(0) ? (VEC)(0) : others;
    return;
  }
  IVEC above = base >= (VEC)(0);
  VEC e = exp2Small(above ? -base : base);
  VEC z = above ? sum + e : sum * e + (VEC)(1);
  *factor = (above ? (VEC)(1) : e) / z;
  *selfWeight = (above ? e : (VEC)(1)) / z;
}
#endif

/*
 * Adds a head to the field `out`: sum of weights 2^(score - base) over other keys, delta the sum of
 * weights times x_j - x_i (the best key's alone with HARDMAX). `moving` is set where the field is
 * non-zero before its scale.
 */
void finishRow(
    const ROW *row,
    VEC base,
    VEC sum,
    VEC *delta,
    int form,
    int normalisation,
    __global const long *head,
    REAL vFactor,
    __global const REAL *matrices,
    VEC *out,
    IVEC *moving) {
  VEC factor = (VEC)(1), selfWeight = (VEC)(0);
#if HARDMAX
  VEC total = (VEC)(1);
#else
  /* Whole powers of two move from the sums to their base, so that no product below is denormal. */
  IVEC usable = (sum > (VEC)(0)) & (sum < (VEC)(INFINITY));
  IVEC e = usable ? (AS_IVEC(sum) >> MANTISSA_BITS) - EXPONENT_BIAS : (IVEC)(0);
  VEC down = AS_VEC((EXPONENT_BIAS - e) << MANTISSA_BITS);
  base += TO_VEC(e);
  sum *= down;
  FOR_EACH(c) {
    delta[c] *= down;
  }
  factorsOfRow(row, normalisation, base, sum, &factor, &selfWeight);
  VEC total = factor * sum + selfWeight;
#endif
  VEC v[D], selfValue[D];
  int dense = head[2] == DENSE;
  if (dense) {
    applyMatrix(matrices + head[3], delta, v);
    applyMatrix(matrices + head[3], row->x, selfValue);
  } else {
    FOR_EACH(c) {
      v[c] = delta[c];
      selfValue[c] = row->x[c];
    }
  }
  if (form == FORM_SPHERE) {
    projectSmall(v, row->x);
    if (dense) {
      projectSmall(selfValue, row->x);
    }
  }
  int withSelf = form == FORM_RAW || (form == FORM_SPHERE && dense);
  FOR_EACH(c) {
    VEC value = factor * v[c];
    IVEC any = v[c] != (VEC)(0);
    if (withSelf) {
      value = total * selfValue[c] + value;
      any |= selfValue[c] != (VEC)(0);
    }
    out[c] = (VEC)(vFactor) * value + out[c];
    *moving |= vFactor != 0 ? any : (IVEC)(0);
  }
}
