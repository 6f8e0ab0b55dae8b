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
#define EXP2_LOWEST -1021.0
#define EXP2_MAGIC 6755399441055744.0
#define MANTISSA_BITS 52
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
#define EXP2_LOWEST -125.0f
#define EXP2_MAGIC 12582912.0f
#define MANTISSA_BITS 23
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
 * 2^x for x <= 0 within 1 ulp; 0 where x rounds to EXP2_LOWEST or less, at the end of the normal
 * range; NaN stays NaN. Rounding by adding 1.5 * 2^MANTISSA_BITS, a polynomial on [-1/2, 1/2] (float32:
 * minimax of degree 6, relative error 2e-9; float64: Taylor of degree 13, 4e-18), then the exponent
 * is added to the bits.
 */
VEC exp2Small(VEC x) {
  VEC y = x < (VEC)(EXP2_LOWEST) ? (VEC)(EXP2_LOWEST) : x;
  VEC t = y + EXP2_MAGIC;
  VEC f = y - (t - EXP2_MAGIC);
#if DOUBLE
  VEC p = f * 1.3691488853904128e-12 + 2.5678435993488206e-11;
  p = p * f + 4.4455382718708116e-10;
  p = p * f + 7.0549116208011237e-09;
  p = p * f + 1.0178086009239699e-07;
  p = p * f + 1.3215486790144309e-06;
  p = p * f + 1.5252733804059841e-05;
  p = p * f + 1.5403530393381608e-04;
  p = p * f + 1.3333558146428443e-03;
  p = p * f + 9.6181291076284769e-03;
  p = p * f + 5.5504108664821576e-02;
  p = p * f + 2.4022650695910072e-01;
  p = p * f + 6.9314718055994529e-01;
#else
  VEC p = f * 1.534581200e-04f + 1.339993122e-03f;
  p = p * f + 9.618488957e-03f;
  p = p * f + 5.550328777e-02f;
  p = p * f + 2.402264690e-01f;
  p = p * f + 6.931472057e-01f;
#endif
  p = p * f + (REAL)1;
  VEC r = AS_VEC(AS_IVEC(p) + (AS_IVEC(t) << MANTISSA_BITS));
  return t == (VEC)(EXP2_LOWEST + EXP2_MAGIC) ? (VEC)(0) : r;
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
