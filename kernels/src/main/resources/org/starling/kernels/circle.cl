/*
 * Tokens on the circle as complex numbers z = x_1 + i x_2, in float64 whatever the state's precision:
 * token loads, and the layout of what the host says about a layer. Joined behind real.cl (DOUBLE 1, VW
 * blocks or keys side by side) and in front of the kernels circle_*.cl, whose mathematics is told in
 * circle_rows.cl.
 *
 * Defines: STATE64 0|1 positions are float64; MIXED 0|1 position = x + low;
 * BLOCK tokens of a block; LIMIT numbers of a table of Bessel functions; ORDERS most powers of u.
 *
 * table: 0, highest frequency K, normalisation, heads, error of a key by
 *   truncation, largest |u|, allowed error relative to own speed, allowed error relative to the
 *   weight of others, then ORDERS numbers: largest |u| that powers up to p serve; then per head:
 *   S scalar 1|0, beta c, beta S [2][2], V scalar 1|0, c, V [2][2], bound of |V|, 0, 0, 0, then LIMIT
 *   numbers I_k(|beta c|) e^{-|beta c|} (zeros where S is dense).
 * moments[column][padded]: column 2 (k ORDERS + p) + part; sums over the keys of a block of
 *   u^p z^k, real and imaginary part.
 * radii[padded]: largest |u| of a block, then of all blocks before it; infinite for a NaN.
 * Behind the last block stands what holds for all blocks. u = |z|^2 - 1.
 */
#if STATE64
typedef double STATE;
#define SMALLEST_SPEED 0x1p-1000
#else
typedef float STATE;
#define SMALLEST_SPEED 0x1p-104
#endif

#define NO_COLUMN -1
#define T_TERMS 1
#define T_NORMALISATION 2
#define T_HEADS 3
#define T_TRUNCATION 4
#define T_LARGEST_U 5
#define T_OWN 6
#define T_OTHERS 7
#define T_POWERS 8
#define T_HEAD (T_POWERS + ORDERS)
#define H_S_SCALAR 0
#define H_S_FACTOR 1
#define H_S 2
#define H_V_SCALAR 6
#define H_V_FACTOR 7
#define H_V 8
#define H_V_NORM 12
#define H_BESSEL 16
#define H_NUMBERS (H_BESSEL + LIMIT)

double coordinate(__global const STATE *x, __global const STATE *low, size_t at) {
#if MIXED
  return (double)x[at] + (double)low[at];
#else
  return x[at];
#endif
}

/* Tokens j .. j + VW - 1, side by side. */
#if VW == 8
#define LOAD_TOKENS(p, j) vload16(0, (p) + 2 * (size_t)(j))
#elif VW == 4
#define LOAD_TOKENS(p, j) vload8(0, (p) + 2 * (size_t)(j))
#elif VW == 2
#define LOAD_TOKENS(p, j) vload4(0, (p) + 2 * (size_t)(j))
#else
#define LOAD_TOKENS(p, j) vload2(0, (p) + 2 * (size_t)(j))
#endif

void tokensFrom(
    __global const STATE *x, __global const STATE *low, int j, VEC *re, VEC *im) {
  *re = TO_VEC(LOAD_TOKENS(x, j).even);
  *im = TO_VEC(LOAD_TOKENS(x, j).odd);
#if MIXED
  *re += TO_VEC(LOAD_TOKENS(low, j).even);
  *im += TO_VEC(LOAD_TOKENS(low, j).odd);
#endif
}

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

/* The larger one; infinite for a NaN. */
VEC largerOf(VEC a, VEC b) {
  VEC larger = b > a ? b : a;
  return b != b ? (VEC)(INFINITY) : larger;
}
