/*
 * Tokens on the circle as complex numbers z = x_1 + i x_2, for the kernels circle_*.cl, whose mathematics is told in
 * circle_rows.cl. Joined behind real.cl (DOUBLE 1, VW blocks side by side) and series.cl.
 *
 * Defines beyond theirs: LIMIT = BESSEL, the numbers I_k(|beta c|) e^{-|beta c|} of a head of the table (zeros
 * where S is dense).
 * moments[column][padded]: column 2 (k ORDERS + p) + part; sums over the keys of a block of
 *   u^p z^k, real and imaginary part.
 * radii[padded]: largest |u| of a block, then of all blocks before it; infinite for a NaN.
 * Behind the last block stands what holds for all blocks. u = |z|^2 - 1.
 */
#define NO_COLUMN -1
#define LIMIT BESSEL

/* Token t of blocks `block`, `block` + 1, ..; 0 from `end` on. live: 1 for tokens before `end`. */
void tokens(
    __global const STATE *x,
    __global const STATE *low,
    long block,
    int t,
    long end,
    VEC *re,
    VEC *im,
    VEC *live) {
  double a[VW], b[VW], c[VW];
#pragma unroll
  for (int l = 0; l < VW; l++) {
    long i = (block + l) * BLOCK + t;
    int in = i < end;
    size_t at = in ? 2 * (size_t)i : 0;
    a[l] = in ? coordinate(x, low, at) : 0;
    b[l] = in ? coordinate(x, low, at + 1) : 0;
    c[l] = in;
  }
  *re = LOADV(a);
  *im = LOADV(b);
  *live = LOADV(c);
}

/* |z|^2 - 1. */
VEC excess(VEC re, VEC im) { return fma(re, re, fma(im, im, (VEC)(-1))); }
