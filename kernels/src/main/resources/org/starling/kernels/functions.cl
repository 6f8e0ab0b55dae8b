/*
 * functions: an elementary function as the other kernels call it, value by value, so that the
 * verifier can measure what it is worth on a device.
 *
 *   x, y   [count]  arguments and values, count a multiple of VW
 *
 * A unit is VW numbers; one work-item a unit, any work-group size. No local memory. Deterministic.
 * Defines: DOUBLE, VW, FUNCTION 0 exp2Small, 1 exp2, 2 sqrt, 3 reciprocal.
 */
__kernel void functions(__global const REAL *x, __global REAL *y, ulong first, ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  VEC a = LOADV(x + unit * VW);
#if FUNCTION == 0
  VEC b = exp2Small(a);
#elif FUNCTION == 1
  VEC b = exp2(a);
#elif FUNCTION == 2
  VEC b = sqrt(a);
#else
  VEC b = (VEC)(1) / a;
#endif
  STOREV(b, y + unit * VW);
}
