/*
 * sphere_prefix: from the moments of each block of a chunk to those of all blocks before it, in place if
 * `each`; behind them what all blocks so far have together, carried to the next chunk (begin 1: the first).
 * Layouts in sphere.cl.
 *
 * A unit is VW numbers of a block (units: numbers of a group times groups in use, over VW); one
 * work-item a unit, any work-group size, no local memory. Sums are carried as two numbers (Knuth's exact sum), in the
 * order of the blocks: deterministic, and a block's number depends on nothing behind it.
 */
__kernel void sphere_prefix(
    __global double *moments,
    int degree,
    int blocks,
    int begin,
    int each,
    ulong firstUnit,
    ulong endUnit) {
#pragma OPENCL FP_CONTRACT OFF
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  size_t stride = blockNumbers(degree);
  __global double *at = moments + unit * VW;
  VEC hi = (VEC)(0), lo = (VEC)(0);
  if (!begin) {
    hi = LOADV(at + CHUNK * stride);
    lo = LOADV(at + (CHUNK + 1) * stride);
  }
  for (int b = 0; b < blocks; b++) {
    VEC own = LOADV(at + b * stride);
    if (each) {
      STOREV(hi, at + b * stride);
    }
    VEC s = hi + own;
    VEC t = s - hi;
    lo += (hi - (s - t)) + (own - t);
    hi = s + lo;
    lo -= hi - s;
  }
  STOREV(hi, at + CHUNK * stride);
  STOREV(lo, at + (CHUNK + 1) * stride);
}
