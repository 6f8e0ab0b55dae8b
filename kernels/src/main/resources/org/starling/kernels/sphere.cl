/*
 * Tokens on the sphere (d = 3) and the layout of the moments of their keys, for the kernels sphere_*.cl, whose
 * mathematics is told in sphere_rows.cl. Joined behind real.cl (DOUBLE 1, VW tokens side by side) and series.cl.
 *
 * Defines beyond theirs: CHUNK blocks whose moments are held at a time; LIMIT more than the highest degree
 * and ORDERS + 2 together.
 *
 * harmonics[T][2]: for order m = 0 .. L and in it degree l = m .. L: (l^2 - m^2) / (4 l^2 - 1), and 4 pi times
 *   the square of the factor of Y_lm below, twice that for m > 0. T = (L + 1) (L + 2) / 2.
 * moments[CHUNK + 2][ORDERS / TOGETHER][T][TOGETHER][2]: a block, a group of powers, (m, l), a power p of the group,
 *   part: that factor times the sum over keys of u^p pi_lm(z) (x + i y)^m, real and imaginary part; a group is filled
 *   with zeros to a multiple of MULTIPLE numbers. Behind the blocks stands what all blocks so far have
 *   together, as two numbers.
 *
 * Y_lm = factor pi_lm(z) (x + i y)^m with monic polynomials pi_lm in z (and in r^2 off the sphere):
 *   pi_mm = 1, pi_{l+1} = z pi_l - r^2 (l^2 - m^2) / (4 l^2 - 1) pi_{l-1}, stable upwards in l.
 */
#define TOGETHER 3
#define MULTIPLE 8
#define VECTORS (BLOCK / VW)

/* Numbers of a group of powers and the zeros behind them, and of a block. */
size_t groupNumbers(int degree) {
  return ((size_t)(degree + 1) * (degree + 2) / 2 * TOGETHER * 2 + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
}

size_t blockNumbers(int degree) { return groupNumbers(degree) * (ORDERS / TOGETHER); }

/* Coordinates of the tokens of a block; 0 from `end` on. */
void tokensOf(
    __global const STATE *x, __global const STATE *low, long block, long end, double *to) {
  for (int t = 0; t < BLOCK; t++) {
    long i = block * BLOCK + t;
    int in = i < end;
    size_t at = in ? 3 * (size_t)i : 0;
    for (int k = 0; k < 3; k++) {
      to[k * BLOCK + t] = in ? coordinate(x, low, at + k) : 0;
    }
  }
}

/* |z|^2 - 1. */
VEC excess(VEC x, VEC y, VEC z) { return fma(x, x, fma(y, y, fma(z, z, (VEC)(-1)))); }
