/*
 * sphere_moments: sums over the keys of each block of u^p times solid harmonics; layouts in sphere.cl.
 *
 *   x, low     [R][n][3]   positions, and corrections (MIXED; else any buffer, not read)
 *   harmonics, moments     the latter for `groups` groups of powers; others are not written
 *
 * A unit is a block of one replica, from `firstBlock` on (units: at most CHUNK); one work-item a unit, any
 * work-group size, no local memory. Only the first `keys` tokens count. The keys of a block are added in a fixed order:
 * deterministic, and a block depends on its own tokens only. Tokens stand in lanes; for an order m all
 * tokens of the block take two degrees at a time, so that sums stay in registers.
 */
__kernel void sphere_moments(
    __global const STATE *x,
    __global const STATE *low,
    __global const double *harmonics,
    __global double *moments,
    int degree,
    int replica,
    int n,
    int keys,
    int firstBlock,
    int groups,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  long block = (long)unit + firstBlock;
  size_t base = 3 * (size_t)replica * n;
  double at[3 * BLOCK];
  tokensOf(x + base, low + base, block, keys, at);
  int vectors = (int)min((keys - block * BLOCK + VW - 1) / VW, (long)VECTORS);
  VEC square[VECTORS], before[VECTORS], now[VECTORS];
  VEC re[TOGETHER * VECTORS], im[TOGETHER * VECTORS];
  for (int g = 0; g < groups; g++) {
    for (int t = 0; t < vectors; t++) {
      VEC a = LOADV(at + t * VW), b = LOADV(at + BLOCK + t * VW), c = LOADV(at + 2 * BLOCK + t * VW);
      VEC u = excess(a, b, c);
      IVEC live = LANES + (INTR)(block * BLOCK + t * VW) < (IVEC)((INTR)keys);
      VEC power = live ? (VEC)(1) : (VEC)(0);
      for (int p = 0; p < g * TOGETHER; p++) {
        power *= u;
      }
#pragma unroll
      for (int p = 0; p < TOGETHER; p++) {
        re[p * VECTORS + t] = power;
        im[p * VECTORS + t] = (VEC)(0);
        power *= u;
      }
      square[t] = u + 1;
    }
    __global double *to = moments + unit * blockNumbers(degree) + g * groupNumbers(degree);
    __global const double *of = harmonics;
    for (int m = 0; m <= degree; m++) {
      for (int t = 0; t < vectors; t++) {
        before[t] = (VEC)(0);
        now[t] = (VEC)(1);
      }
      for (int l = m; l <= degree; l += 2) {
        double first = of[0], second = l < degree ? of[2] : 0;
        VEC sums[4 * TOGETHER];
#pragma unroll
        for (int k = 0; k < 4 * TOGETHER; k++) {
          sums[k] = (VEC)(0);
        }
        for (int t = 0; t < vectors; t++) {
          VEC z = LOADV(at + 2 * BLOCK + t * VW);
          VEC p = now[t];
          VEC q = fma(z, p, -first * (square[t] * before[t]));
          now[t] = fma(z, q, -second * (square[t] * p));
          before[t] = q;
#pragma unroll
          for (int k = 0; k < TOGETHER; k++) {
            VEC c = re[k * VECTORS + t], s = im[k * VECTORS + t];
            sums[2 * k] = fma(p, c, sums[2 * k]);
            sums[2 * k + 1] = fma(p, s, sums[2 * k + 1]);
            sums[2 * TOGETHER + 2 * k] = fma(q, c, sums[2 * TOGETHER + 2 * k]);
            sums[2 * TOGETHER + 2 * k + 1] = fma(q, s, sums[2 * TOGETHER + 2 * k + 1]);
          }
        }
#pragma unroll
        for (int k = 0; k < 2 * TOGETHER; k++) {
          to[k] = of[1] * sumLanes(sums[k]);
        }
        if (l < degree) {
#pragma unroll
          for (int k = 0; k < 2 * TOGETHER; k++) {
            to[2 * TOGETHER + k] = of[3] * sumLanes(sums[2 * TOGETHER + k]);
          }
        }
        int done = l < degree ? 2 : 1;
        to += done * 2 * TOGETHER;
        of += done * 2;
      }
      for (int t = 0; t < vectors; t++) {
        VEC a = LOADV(at + t * VW), b = LOADV(at + BLOCK + t * VW);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++) {
          VEC c = re[k * VECTORS + t], s = im[k * VECTORS + t];
          re[k * VECTORS + t] = fma(c, a, -s * b);
          im[k * VECTORS + t] = fma(c, b, s * a);
        }
      }
    }
    __global double *end = moments + unit * blockNumbers(degree) + (g + 1) * groupNumbers(degree);
    while (to < end) {
      *to++ = 0;
    }
  }
}
