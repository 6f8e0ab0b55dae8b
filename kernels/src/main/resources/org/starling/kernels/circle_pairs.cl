/*
 * circle_pairs: attention output or velocity on the circle, pair by pair in float64, of the rows that
 * circle_rows left in doubt.
 *
 *   x, low   [R][n][2]   positions, and corrections (MIXED; else any buffer, not read)
 *   out      [R][n][2]   field (op 0: u_i, op 1: velocity on the sphere); other rows are left alone
 *   doubt    [R][n]      1 for the rows to compute
 *   small    [R][ceil(n / ROWS)][2]   as in attend_blocks.cl
 *   causal, prefix       as in plan.cl
 *
 * A unit is ROWS rows of one replica (units: ceil(n / ROWS)); one work-item a unit, any work-group
 * size, no local memory. Keys stand across the lanes of a vector, lane j mod VW; first the largest score
 * relative to self over j != i, then weights and weighted differences x_j - x_i, self last (weights.cl):
 * rows keep their digits in the tightest cluster and far from all keys. Deterministic; a row
 * depends on nothing behind its last key. Joined after real.cl, plan.cl, weights.cl and
 * circle.cl.
 */
double largestOf(VEC v) {
  double of[VW], largest = NEGATIVE_INFINITY;
  STOREV(v, of);
  for (int l = 0; l < VW; l++) {
    largest = of[l] > largest || of[l] != of[l] ? of[l] : largest;
  }
  return largest;
}

/* Keys j .. j + VW - 1 minus the row's token, and their scores relative to self; -infinity if dead. */
VEC scored(
    __global const STATE *x,
    __global const STATE *low,
    int j,
    int i,
    int last,
    double re,
    double im,
    double yx,
    double yy,
    VEC *dx,
    VEC *dy) {
  if (j + VW - 1 <= last && (i < j || i >= j + VW)) {
    tokensFrom(x, low, j, dx, dy);
    *dx -= re;
    *dy -= im;
    return fma((VEC)(yx), *dx, yy * *dy);
  }
  double a[VW], b[VW], c[VW];
  for (int l = 0; l < VW; l++) {
    int live = j + l <= last && j + l != i;
    size_t at = live ? 2 * (size_t)(j + l) : 0;
    a[l] = live ? coordinate(x, low, at) - re : 0;
    b[l] = live ? coordinate(x, low, at + 1) - im : 0;
    c[l] = live ? 0 : NEGATIVE_INFINITY;
  }
  *dx = LOADV(a);
  *dy = LOADV(b);
  return fma((VEC)(yx), *dx, yy * *dy) + LOADV(c);
}

__kernel void circle_pairs(
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
  x += 2 * base;
  low += 2 * base;
  out += 2 * base;
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
    double re = coordinate(x, low, 2 * (size_t)i), im = coordinate(x, low, 2 * (size_t)i + 1);
    double vx = 0, vy = 0;
    int moving = 0;
    for (int h = 0; h < (int)table[T_HEADS]; h++) {
      __global const double *head = table + T_HEAD + h * H_NUMBERS;
      double yx, yy;
      if (head[H_S_SCALAR] != 0) {
        yx = head[H_S_FACTOR] * LOG2E * re;
        yy = head[H_S_FACTOR] * LOG2E * im;
      } else {
        yx = LOG2E * (head[H_S] * re + head[H_S + 2] * im);
        yy = LOG2E * (head[H_S + 1] * re + head[H_S + 3] * im);
      }
      VEC dx, dy, highest = (VEC)(NEGATIVE_INFINITY);
      for (int j = 0; j <= last; j += VW) {
        VEC s = scored(x, low, j, i, last, re, im, yx, yy, &dx, &dy);
        highest = ((s > highest) | (s != s)) ? s : highest;
      }
      double maximum = largestOf(highest);
      double from = maximum == NEGATIVE_INFINITY ? 0 : maximum;
      VEC sum = (VEC)(0), sx = (VEC)(0), sy = (VEC)(0);
      for (int j = 0; j <= last; j += VW) {
        VEC p = exp2Small(scored(x, low, j, i, last, re, im, yx, yy, &dx, &dy) - from);
        sum += p;
        sx = fma(p, dx, sx);
        sy = fma(p, dy, sy);
      }
      TWO self = (TWO)(0), shift = (TWO)(0);
      shift = addProduct(shift, yx, re);
      shift = addProduct(shift, yy, im);
      double scale, selfWeight;
      factorsOf((int)table[T_NORMALISATION], maximum, sumLanes(sum), self, shift, last + 1, &scale, &selfWeight);
      double total = scale * sumLanes(sum) + selfWeight;
      double ux = sumLanes(sx), uy = sumLanes(sy), ox = re, oy = im;
      int dense = head[H_V_SCALAR] == 0;
      double factor = dense ? 1 : head[H_V_FACTOR];
      if (dense) {
        double t = head[H_V] * ux + head[H_V + 1] * uy;
        uy = head[H_V + 2] * ux + head[H_V + 3] * uy;
        ux = t;
        ox = head[H_V] * re + head[H_V + 1] * im;
        oy = head[H_V + 2] * re + head[H_V + 3] * im;
      }
      if (op != 0) {
        double square = re * re + im * im;
        double across = (re * uy - im * ux) / square;
        ux = -across * im;
        uy = across * re;
        across = (re * oy - im * ox) / square;
        ox = dense ? -across * im : 0;
        oy = dense ? across * re : 0;
      }
      moving |= factor != 0 && (ux != 0 || uy != 0 || ox != 0 || oy != 0);
      vx += factor * (scale * ux + total * ox);
      vy += factor * (scale * uy + total * oy);
    }
    out[2 * (size_t)i] = vx;
    out[2 * (size_t)i + 1] = vy;
    double speed = hypot(vx, vy);
    if (moving && speed < SMALLEST_SPEED) {
      below++;
      firstBelow = i;
    }
  }
  countBelow(small, replica, blocks, block, below, firstBelow);
}
