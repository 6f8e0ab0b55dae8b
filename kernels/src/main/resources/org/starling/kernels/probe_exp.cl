/*
 * probe_exp: exponentials in registers and nothing else.
 *
 *   y      [units][VW]  results, so that nothing can be left out
 *
 * A unit is ROUNDS rounds of CHAINS independent vectors x <- f(x) - 1, which stay in (-1, 0]; one
 * work-item a unit, any work-group size. No local memory. Deterministic.
 * Defines: DOUBLE, VW, CHAINS, ROUNDS, NATIVE 0 exp2Small of real.cl, 1 the device's exp.
 */
__kernel void probe_exp(__global REAL *y, ulong first, ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  VEC a[CHAINS];
  __attribute__((opencl_unroll_hint(CHAINS)))
  for (int c = 0; c < CHAINS; c++) {
    a[c] = (VEC)((REAL)-1 / (REAL)(c + 2));
  }
  __attribute__((opencl_unroll_hint(1)))
  for (int r = 0; r < ROUNDS; r++) {
    __attribute__((opencl_unroll_hint(CHAINS)))
    for (int c = 0; c < CHAINS; c++) {
#if NATIVE
      a[c] = exp(a[c]) - (REAL)1;
#else
      a[c] = exp2Small(a[c]) - (REAL)1;
#endif
    }
  }
  VEC sum = a[0];
  __attribute__((opencl_unroll_hint(CHAINS)))
  for (int c = 1; c < CHAINS; c++) {
    sum += a[c];
  }
  STOREV(sum, y + unit * VW);
}
