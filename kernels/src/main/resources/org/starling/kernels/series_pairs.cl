/*
 * series_pairs: attention output or velocity on the circle (D = 2) or the sphere (D = 3), pair by pair in
 * float64, of the rows that a series left in doubt.
 *
 *   x, low   [R][n][D]   positions, and corrections (MIXED; else any buffer, not read)
 *   out      [R][n][D]   field (op 0: u_i, op 1: velocity on the sphere); other rows are left alone
 *   doubt    [R][n]      1 for the rows to compute
 *   small    [R][ceil(n / ROWS)][2]   as in attend_blocks.cl
 *   causal, prefix       as in plan.cl
 *
 * A unit is ROWS rows of one replica (units: ceil(n / ROWS)); one work-item a unit, any work-group
 * size, no local memory. Keys stand across the lanes of a vector, lane j mod VW; first the largest score
 * relative to self over j != i, then weights and weighted differences x_j - x_i, self last (weights.cl):
 * rows keep their digits in the tightest cluster and far from all keys. Deterministic; a row
 * depends on nothing behind its last key. Joined after real.cl, plan.cl, weights.cl and series.cl.
 */


double largestOf(VEC v) {
  double of[VW], largest = NEGATIVE_INFINITY;
  STOREV(v, of);
  for (int l = 0; l < VW; l++) {
    largest = of[l] > largest || of[l] != of[l] ? of[l] : largest;
  }
  return largest;
}

#if D == 2
#if VW == 8
#define LOAD_KEYS(p, j) vload16(0, (p) + 2 * (size_t)(j))
#elif VW == 4
#define LOAD_KEYS(p, j) vload8(0, (p) + 2 * (size_t)(j))
#elif VW == 2
#define LOAD_KEYS(p, j) vload4(0, (p) + 2 * (size_t)(j))
#else
#define LOAD_KEYS(p, j) vload2(0, (p) + 2 * (size_t)(j))
#endif
#endif

/* Keys j .. j + VW - 1 side by side. */
void keysFrom(__global const STATE *x, __global const STATE *low, int j, VEC *key) {
#if D == 2
  key[0] = TO_VEC(LOAD_KEYS(x, j).even);
  key[1] = TO_VEC(LOAD_KEYS(x, j).odd);
#if MIXED
  key[0] += TO_VEC(LOAD_KEYS(low, j).even);
  key[1] += TO_VEC(LOAD_KEYS(low, j).odd);
#endif
#else
  double of[D * VW];
#pragma unroll
  for (int l = 0; l < VW; l++) {
#pragma unroll
    for (int k = 0; k < D; k++) {
      of[k * VW + l] = coordinate(x, low, D * (size_t)(j + l) + k);
    }
  }
#pragma unroll
  for (int k = 0; k < D; k++) {
    key[k] = LOADV(of + k * VW);
  }
#endif
}

/* Keys j .. j + VW - 1 minus the row's token, and their scores relative to self; -infinity if dead. */
VEC scored(
    __global const STATE *x,
    __global const STATE *low,
    int j,
    int i,
    int last,
    const double *own,
    const double *query,
    VEC *difference) {
  VEC score = (VEC)(0);
  if (j + VW - 1 <= last && (i < j || i >= j + VW)) {
    keysFrom(x, low, j, difference);
#pragma unroll
    for (int k = 0; k < D; k++) {
      difference[k] -= own[k];
    }
  } else {
    double of[D * VW], dead[VW];
    for (int l = 0; l < VW; l++) {
      int live = j + l <= last && j + l != i;
      size_t at = live ? D * (size_t)(j + l) : 0;
      for (int k = 0; k < D; k++) {
        of[k * VW + l] = live ? coordinate(x, low, at + k) - own[k] : 0;
      }
      dead[l] = live ? 0 : NEGATIVE_INFINITY;
    }
#pragma unroll
    for (int k = 0; k < D; k++) {
      difference[k] = LOADV(of + k * VW);
    }
    score = LOADV(dead);
  }
#pragma unroll
  for (int k = 0; k < D; k++) {
    score = fma((VEC)(query[k]), difference[k], score);
  }
  return score;
}

/* to = M of for a matrix [D][D]. */
void times(__global const double *m, const double *of, double *to) {
  for (int a = 0; a < D; a++) {
    double sum = 0;
    for (int k = 0; k < D; k++) {
      sum += m[a * D + k] * of[k];
    }
    to[a] = sum;
  }
}

/* The part of v across x. */
void acrossFrom(const double *x, double *v) {
#if D == 2
  double across = (x[0] * v[1] - x[1] * v[0]) / (x[0] * x[0] + x[1] * x[1]);
  v[0] = -across * x[1];
  v[1] = across * x[0];
#else
  /* x cross v, and that cross x: no difference of nearly equal numbers where v is nearly along x. */
  double a = x[1] * v[2] - x[2] * v[1], b = x[2] * v[0] - x[0] * v[2], c = x[0] * v[1] - x[1] * v[0];
  double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  v[0] = (b * x[2] - c * x[1]) / square;
  v[1] = (c * x[0] - a * x[2]) / square;
  v[2] = (a * x[1] - b * x[0]) / square;
#endif
}

__kernel void series_pairs(
    __global const STATE *x,
    __global const STATE *low,
    __global STATE *out,
    __global const uchar *doubt,
    __global int *small,
    __global const double *table,
    int replica,
    int n,
    int causal,
    int prefix,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int blocks = (n + ROWS - 1) / ROWS;
  int block = (int)unit;
  size_t base = (size_t)replica * n;
  x += D * base;
  low += D * base;
  out += D * base;
  doubt += base;
  MASK mask;
  mask.n = n;
  mask.window = NONE;
  mask.causal = causal;
  mask.prefix = prefix;
  int below = 0, firstBelow = NONE;
  for (int i = min((block + 1) * ROWS, n) - 1; i >= block * ROWS; i--) {
    if (!doubt[i]) {
      continue;
    }
    int last = lastKey(mask, i);
    double own[D], field[D];
    for (int k = 0; k < D; k++) {
      own[k] = coordinate(x, low, D * (size_t)i + k);
      field[k] = 0;
    }
    int moving = 0;
    for (int h = 0; h < (int)table[T_HEADS]; h++) {
      __global const double *head = table + T_HEAD + h * H_NUMBERS;
      double query[D];
      for (int a = 0; a < D; a++) {
        double y = head[H_S_FACTOR] * own[a];
        if (head[H_S_SCALAR] == 0) {
          y = 0;
          for (int k = 0; k < D; k++) {
            y += head[H_S + k * D + a] * own[k];
          }
        }
        query[a] = LOG2E * y;
      }
      VEC difference[D], highest = (VEC)(NEGATIVE_INFINITY);
      for (int j = 0; j <= last; j += VW) {
        VEC s = scored(x, low, j, i, last, own, query, difference);
        highest = ((s > highest) | (s != s)) ? s : highest;
      }
      double maximum = largestOf(highest);
      double from = maximum == NEGATIVE_INFINITY ? 0 : maximum;
      VEC sum = (VEC)(0), sums[D];
#pragma unroll
      for (int k = 0; k < D; k++) {
        sums[k] = (VEC)(0);
      }
      for (int j = 0; j <= last; j += VW) {
        VEC p = exp2Small(scored(x, low, j, i, last, own, query, difference) - from);
        sum += p;
#pragma unroll
        for (int k = 0; k < D; k++) {
          sums[k] = fma(p, difference[k], sums[k]);
        }
      }
      TWO self = (TWO)(0), shift = (TWO)(0);
      double u[D], o[D];
      for (int k = 0; k < D; k++) {
        shift = addProduct(shift, query[k], own[k]);
        u[k] = sumLanes(sums[k]);
        o[k] = own[k];
      }
      double scale, selfWeight;
      factorsOf((int)table[T_NORMALISATION], maximum, sumLanes(sum), self, shift, last + 1, &scale, &selfWeight);
      double total = scale * sumLanes(sum) + selfWeight;
      int dense = head[H_V_SCALAR] == 0;
      double factor = dense ? 1 : head[H_V_FACTOR];
      if (dense) {
        double t[D];
        times(head + H_V, u, t);
        times(head + H_V, own, o);
        for (int k = 0; k < D; k++) {
          u[k] = t[k];
        }
      }
      if (op != 0) {
        acrossFrom(own, u);
        acrossFrom(own, o);
      }
      /* For V = c I the self term projects to 0 exactly. */
      double part = op != 0 && !dense ? 0 : total;
      for (int k = 0; k < D; k++) {
        moving |= factor != 0 && (u[k] != 0 || (part != 0 && o[k] != 0));
        field[k] += factor * (scale * u[k] + (part != 0 ? part * o[k] : 0));
      }
    }
    double speed = 0;
    for (int k = 0; k < D; k++) {
      out[D * (size_t)i + k] = field[k];
      speed = hypot(speed, field[k]);
    }
    if (moving && speed < SMALLEST_SPEED) {
      below++;
      firstBelow = i;
    }
  }
  countBelow(small, replica, blocks, block, below, firstBelow);
}
