/*
 * What the kernels of fast sums have in common, on the circle (D = 2) and on the sphere (D = 3): token
 * loads in float64 whatever the state's precision, and the layout of what the host says about a layer.
 * Joined behind real.cl (DOUBLE 1).
 *
 * Defines: STATE64 0|1 positions are float64; MIXED 0|1 position = x + low; D; BLOCK tokens of a block;
 * ORDERS most powers of u = |z|^2 - 1; BESSEL numbers of a head's table of Bessel functions.
 *
 * table: rounding of a key's weight, highest frequency or degree, normalisation, heads, error of a key by
 *   truncation, largest |u|, allowed error relative to own speed, allowed error relative to the
 *   weight of others, then ORDERS numbers: largest |u| that powers up to p serve; then per head:
 *   S scalar 1|0, beta c, beta S [D][D], V scalar 1|0, c, V [D][D], bound of |V|, 0 up to H_BESSEL, then
 *   BESSEL numbers.
 */
#if STATE64
typedef double STATE;
#define SMALLEST_SPEED 0x1p-1000
#else
typedef float STATE;
#define SMALLEST_SPEED 0x1p-104
#endif

#define T_ROUNDING 0
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
#define H_V_SCALAR (H_S + D * D)
#define H_V_FACTOR (H_V_SCALAR + 1)
#define H_V (H_V_SCALAR + 2)
#define H_V_NORM (H_V + D * D)
#define H_BESSEL (H_V_NORM + 4)
#define H_NUMBERS (H_BESSEL + BESSEL)

double coordinate(__global const STATE *x, __global const STATE *low, size_t at) {
#if MIXED
  return (double)x[at] + (double)low[at];
#else
  return x[at];
#endif
}

/* The larger one; infinite for a NaN. */
VEC largerOf(VEC a, VEC b) {
  VEC larger = b > a ? b : a;
  return b != b ? (VEC)(INFINITY) : larger;
}
