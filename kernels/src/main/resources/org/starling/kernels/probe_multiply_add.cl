/*
 * probe_multiply_add: fused multiply-adds in registers and nothing else, the peak of a device's
 * arithmetic.
 *
 *   x      [2]      factor and addend, unknown to the compiler
 *   y      [units]  results, so that nothing can be left out
 *
 * A unit is ROUNDS rounds of CHAINS independent multiply-adds of W numbers; one work-item a unit, any
 * work-group size. No local memory. Deterministic.
 * Defines: DOUBLE, W numbers a vector (1, 2, 4, 8, 16), CHAINS, ROUNDS.
 */
#if DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define NUMBER double
#else
#define NUMBER float
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if W == 1
typedef NUMBER VECTOR;
#else
typedef JOIN(NUMBER, W) VECTOR;
#endif

__kernel void probe_multiply_add(
    __global const NUMBER *x, __global NUMBER *y, ulong first, ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  VECTOR factor = (VECTOR)(x[0]);
  VECTOR addend = (VECTOR)(x[1]);
  VECTOR a[CHAINS];
  __attribute__((opencl_unroll_hint(CHAINS)))
  for (int c = 0; c < CHAINS; c++) {
    a[c] = (VECTOR)((NUMBER)(unit + c));
  }
  __attribute__((opencl_unroll_hint(1)))
  for (int r = 0; r < ROUNDS; r++) {
    __attribute__((opencl_unroll_hint(CHAINS)))
    for (int c = 0; c < CHAINS; c++) {
      a[c] = a[c] * factor + addend;
    }
  }
  VECTOR sum = a[0];
  __attribute__((opencl_unroll_hint(CHAINS)))
  for (int c = 1; c < CHAINS; c++) {
    sum += a[c];
  }
#if W == 1
  y[unit] = sum;
#else
  union {
    VECTOR v;
    NUMBER lane[W];
  } all;
  all.v = sum;
  NUMBER total = all.lane[0];
  for (int k = 1; k < W; k++) {
    total += all.lane[k];
  }
  y[unit] = total;
#endif
}
