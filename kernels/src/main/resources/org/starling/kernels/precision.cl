/*
 * Working precision and compensated arithmetic, joined in front of the state kernels.
 *
 * Defines: exactly one of PRECISION_SINGLE, PRECISION_MIXED, PRECISION_DOUBLE.
 *
 * A pair is an unevaluated sum value + correction with value = the sum rounded to `real`, about
 * twice the digits of `real` (Dekker 1971; Knuth, TAOCP 2, 4.2.2). The sums below are exact only if
 * the compiler leaves them alone, hence no contraction; every fused operation is written as fma.
 * A pair that becomes infinite turns into NaN: no finite number is ever made from it.
 *
 * In mixed precision a state argument is two buffers, values and corrections; STATE and READ hide
 * that. Kernels end with `ulong first, ulong end`: the units of this launch; items beyond do nothing.
 */
#pragma OPENCL FP_CONTRACT OFF

#ifdef PRECISION_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double2 pair;
#define EXPONENT_LIMIT 1022
#else
typedef float real;
typedef float2 pair;
#define EXPONENT_LIMIT 126
#endif

#ifdef PRECISION_MIXED
#define STATE(name) __global real *name, __global real *name##_low
#define CONST_STATE(name) __global const real *name, __global const real *name##_low
#define READ(name, at) ((pair)(name[at], name##_low[at]))
#define WRITE(name, at, v) (name[at] = (v).x, name##_low[at] = (v).y)
#else
#define STATE(name) __global real *name
#define CONST_STATE(name) __global const real *name
#define READ(name, at) ((pair)(name[at], (real)0))
#define WRITE(name, at, v) (name[at] = (v).x)
#endif

/* Tokens reduced by one work-item: few where every step waits for it, more in observers. */
#define TOKENS_PER_STEP_ITEM 4UL
#define TOKENS_PER_ITEM 16UL

static pair exact_sum(real a, real b) {
  real s = a + b;
  real t = s - a;
  return (pair)(s, (a - (s - t)) + (b - t));
}

/* Needs |a| >= |b| or a = 0. */
static pair ordered_sum(real a, real b) {
  real s = a + b;
  return (pair)(s, b - (s - a));
}

static pair exact_product(real a, real b) {
  real p = a * b;
  return (pair)(p, fma(a, b, -p));
}

static pair add(pair a, pair b) {
  pair s = exact_sum(a.x, b.x);
  return ordered_sum(s.x, s.y + (a.y + b.y));
}

static pair subtract(pair a, pair b) {
  return add(a, -b);
}

static pair multiply(pair a, pair b) {
  pair p = exact_product(a.x, b.x);
  return ordered_sum(p.x, p.y + fma(a.x, b.y, a.y * b.x));
}

/* The larger one; NaN if either is NaN. */
static real larger(real a, real b) {
  return b > a || b != b ? b : a;
}

static real smaller(real a, real b) {
  return b < a || b != b ? b : a;
}

/* Sums of squares within these limits have lost nothing to overflow or underflow. */
#ifdef PRECISION_DOUBLE
#define SQUARE_LOW 0x1p-800
#define SQUARE_HIGH 0x1p1000
#else
#define SQUARE_LOW 0x1p-80f
#define SQUARE_HIGH 0x1p120f
#endif
#define ORDINARY(square) ((square) > SQUARE_LOW && (square) < SQUARE_HIGH)

/*
 * Euclidean norms without overflow or underflow of the squares: find the largest magnitude, scale by
 * the power of two below it, sum squares as pairs, scale back.
 */
static int norm_exponent(real largest) {
  return largest > (real)0 && !isinf(largest)
      ? clamp(ilogb(largest), -EXPONENT_LIMIT, EXPONENT_LIMIT)
      : 0;
}

static pair add_square(pair sum, pair v, int exponent) {
  real scale = ldexp((real)1, -exponent);
  pair scaled = v * scale;
  return add(sum, multiply(scaled, scaled));
}

/* The norm from the largest magnitude and the scaled sum of squares. */
static real norm_of(real largest, pair squares, int exponent) {
  return largest > (real)0 && !isinf(largest)
      ? ldexp(sqrt(squares.x), exponent)
      : largest;
}
