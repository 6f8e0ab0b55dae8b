/*
 * Arithmetic shared by all kernels: the working precision, its vectors, and exp2.
 *
 * Build defines: DOUBLE 0|1 (float32 or float64), VW vector width in numbers (2, 4, 8 or 16, as the
 * registers of the device are wide; 1 where a work-item is one row).
 * Every kernel source is compiled behind this one.
 */
#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double REAL;
typedef long INTR;
#define REAL_NAME double
#define INTR_NAME long
#define REAL_BITS(x) as_long(x)
#define BITS_REAL(x) as_double(x)
#define SMALLEST 0x1p-1000
#define LIFT 0x1p600
#define LOG2E 1.4426950408889634
#define LN2 0.6931471805599453
#define EXP2_LOWEST -1010.0
#define EXP2_MAGIC 6755399441056767.0
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#else
typedef float REAL;
typedef int INTR;
#define REAL_NAME float
#define INTR_NAME int
#define REAL_BITS(x) as_int(x)
#define BITS_REAL(x) as_float(x)
#define SMALLEST 0x1p-104f
#define LIFT 0x1p60f
#define LOG2E 1.44269504f
#define LN2 0.693147181f
#define EXP2_LOWEST -120.0f
#define EXP2_MAGIC 12583039.0f
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#endif

#define NEGATIVE_INFINITY (-(REAL)INFINITY)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* Vectors of VW numbers, and of integers as wide: LOADI takes ints from memory. */
#if VW > 1
typedef JOIN(REAL_NAME, VW) VEC;
typedef JOIN(INTR_NAME, VW) IVEC;
#define LOADV(p) JOIN(vload, VW)(0, p)
#define STOREV(v, p) JOIN(vstore, VW)(v, 0, p)
#define LOADIV(p) JOIN(vload, VW)(0, p)
#define STOREIV(v, p) JOIN(vstore, VW)(v, 0, p)
#define LOADI(p) JOIN(convert_, JOIN(INTR_NAME, VW))(JOIN(vload, VW)(0, p))
#define AS_IVEC(x) JOIN(as_, JOIN(INTR_NAME, VW))(x)
#define AS_VEC(x) JOIN(as_, JOIN(REAL_NAME, VW))(x)
#define TO_VEC(j) JOIN(convert_, JOIN(REAL_NAME, VW))(j)
#else
typedef REAL VEC;
typedef INTR IVEC;
#define LOADV(p) (*(p))
#define STOREV(v, p) (*(p) = (v))
#define LOADIV(p) (*(p))
#define STOREIV(v, p) (*(p) = (v))
#define LOADI(p) ((INTR)(*(p)))
#define AS_IVEC(x) REAL_BITS(x)
#define AS_VEC(x) BITS_REAL(x)
#define TO_VEC(j) ((REAL)(j))
#endif

#if VW == 16
#define LANES ((IVEC)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#elif VW == 8
#define LANES ((IVEC)(0, 1, 2, 3, 4, 5, 6, 7))
#elif VW == 4
#define LANES ((IVEC)(0, 1, 2, 3))
#elif VW == 2
#define LANES ((IVEC)(0, 1))
#else
#define LANES 0
#endif

#ifdef VW
/* Sum and largest of the lanes, always in the same order: halves until one is left. */
#define LARGER_(a, b) ((a) > (b) ? (a) : (b))
REAL sumLanes(VEC x) {
#if VW == 1
  return x;
#else
#if VW == 16
  JOIN(REAL_NAME, 8) h = x.lo + x.hi;
#elif VW == 8
  VEC h = x;
#endif
#if VW >= 8
  JOIN(REAL_NAME, 4) q = h.lo + h.hi;
#elif VW == 4
  VEC q = x;
#endif
#if VW >= 4
  JOIN(REAL_NAME, 2) p = q.lo + q.hi;
#else
  VEC p = x;
#endif
  return p.lo + p.hi;
#endif
}

REAL maxLanes(VEC x) {
#if VW == 1
  return x;
#else
#if VW == 16
  JOIN(REAL_NAME, 8) h = LARGER_(x.lo, x.hi);
#elif VW == 8
  VEC h = x;
#endif
#if VW >= 8
  JOIN(REAL_NAME, 4) q = LARGER_(h.lo, h.hi);
#elif VW == 4
  VEC q = x;
#endif
#if VW >= 4
  JOIN(REAL_NAME, 2) p = LARGER_(q.lo, q.hi);
#else
  VEC p = x;
#endif
  return LARGER_(p.lo, p.hi);
#endif
}

/*
 * 2^x where it is well inside the range of normal numbers, NaN where x is one, any number elsewhere.
 * 2^0 is 1. Relative error at most 2e-7 (float32) or 4e-16 (float64), the polynomial's own being
 * 9.2e-8 or 2.2e-16: minimax of degree 5 or 10 on [-1/2, 1/2] with p(0) = 1. x is rounded by adding
 * 1.5 * 2^MANTISSA_BITS; with the bias of an exponent added as well, the sum's last bits are the power
 * of two that p is multiplied by.
 */
VEC exp2Inside(VEC x) {
  VEC t = x + EXP2_MAGIC;
  VEC f = x - (t - EXP2_MAGIC);
#if DOUBLE
  VEC p = f * 7.038193810543211e-09 + 1.0208323234707240e-07;
  p = p * f + 1.3215653508209310e-06;
  p = p * f + 1.5252659426428712e-05;
  p = p * f + 1.5403529994429044e-04;
  p = p * f + 1.3333558225802430e-03;
  p = p * f + 9.6181291079829825e-03;
  p = p * f + 5.5504108664481808e-02;
  p = p * f + 2.4022650695909102e-01;
  p = p * f + 6.9314718055994918e-01;
#else
  VEC p = f * 1.326472763e-03f + 9.671512646e-03f;
  p = p * f + 5.550733742e-02f;
  p = p * f + 2.402224209e-01f;
  p = p * f + 6.931469776e-01f;
#endif
  p = p * f + (REAL)1;
  return p * AS_VEC(AS_IVEC(t) << MANTISSA_BITS);
}

/*
 * 2^x for EXP2_LOWEST <= x <= 100; 0 below, which leaves room for products with small differences
 * above the denormal numbers; NaN stays NaN; any number above.
 */
VEC exp2Small(VEC x) {
  return x < (VEC)(EXP2_LOWEST) ? (VEC)(0) : exp2Inside(x);
}
#endif

/* A number as an unevaluated sum hi + lo. */
#if DOUBLE
typedef double2 TWO;
#else
typedef float2 TWO;
#endif

/* a + b exactly. */
TWO twoSum(REAL a, REAL b) {
  TWO r;
  r.hi = a + b;
  REAL t = r.hi - a;
  r.lo = (a - (r.hi - t)) + (b - t);
  return r;
}

/* (hi, lo) + a b with the product's rounding kept (Ogita, Rump, Oishi 2005, algorithm Dot2). */
TWO addProduct(TWO sum, REAL a, REAL b) {
#pragma OPENCL FP_CONTRACT OFF
  REAL p = a * b;
  REAL e = fma(a, b, -p);
  TWO r = twoSum(sum.hi, p);
  r.lo = sum.lo + (r.lo + e);
  return r;
}

/* 2^(hi + lo) for |lo| far below 1. */
REAL exp2Two(TWO x) {
  return exp2(x.hi) * ((REAL)1 + (REAL)LN2 * x.lo);
}
