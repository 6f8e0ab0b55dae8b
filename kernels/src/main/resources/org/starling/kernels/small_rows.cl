/*
 * Functions of attend_small.cl: sums of two numbers lane by lane, and the field of one row from its
 * sums over keys. Defines: those of attend_small.cl.
 */
#if CAREFUL
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
#endif

/* y = M x for a packed matrix stored with rows of x first. */
void applyMatrix(__global const REAL *m, const REAL *x, REAL *y) {
  for (int c = 0; c < D; c++) {
    y[c] = 0;
    for (int k = 0; k < D; k++) {
      y[c] += x[k] * m[k * PACK + c];
    }
  }
}

/* y - (<y,x>/|x|^2) x, twice, since what the first pass leaves over may exceed the result. */
void projectSmall(REAL *y, const REAL *x) {
  for (int pass = 0; pass < 2; pass++) {
    REAL along = 0, norm = 0;
    for (int c = 0; c < D; c++) {
      along += y[c] * x[c];
      norm += x[c] * x[c];
    }
    for (int c = 0; c < D; c++) {
      y[c] -= along / norm * x[c];
    }
  }
}

/*
 * Adds head h of one row to out: delta = sum over j != i of weights relative to 2^maximum times
 * x_j - x_i, sum = those weights alone; the query is y + yLow. Returns whether the field is non-zero before its scale.
 */
int finishRow(
    __global REAL *out,
    const REAL *x,
    const REAL *y,
    const REAL *yLow,
    REAL *delta,
    REAL maximum,
    REAL sum,
    int live,
    int form,
    __global const long *plan,
    __global const long *head,
    REAL vFactor,
    __global const REAL *matrices,
    int h) {
  REAL v[D], selfValue[D];
  REAL scale = 1, selfWeight = 0;
#if !HARDMAX
  TWO self = (TWO)(0), shift = (TWO)(0);
  for (int c = 0; c < D; c++) {
    shift = addProduct(shift, y[c], x[c]);
    shift.lo += yLow[c] * x[c];
  }
  factorsOf((int)plan[5], maximum, sum, self, shift, live, &scale, &selfWeight);
#endif
  REAL total = HARDMAX ? (REAL)1 : scale * sum + selfWeight;
  int dense = head[2] == DENSE;
  if (dense) {
    applyMatrix(matrices + head[3], delta, v);
    applyMatrix(matrices + head[3], x, selfValue);
  } else {
    for (int c = 0; c < D; c++) {
      v[c] = delta[c];
      selfValue[c] = x[c];
    }
  }
  if (form == FORM_SPHERE) {
    projectSmall(v, x);
    if (dense) {
      projectSmall(selfValue, x);
    }
  }
  int moving = 0;
  int withSelf = form == FORM_RAW || (form == FORM_SPHERE && dense);
  for (int c = 0; c < D; c++) {
    moving |= v[c] != 0 || (withSelf && selfValue[c] != 0);
    REAL value = vFactor * (withSelf ? scale * v[c] + total * selfValue[c] : scale * v[c]);
    out[c] = h == 0 ? value : out[c] + value;
  }
  return moving && vFactor != 0;
}
