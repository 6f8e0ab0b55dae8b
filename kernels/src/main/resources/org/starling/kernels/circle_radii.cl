/*
 * circle_radii: how far the tokens of a block are off the circle; layouts in circle.cl.
 *
 *   x, low  [R][n][2]         positions, and corrections (MIXED; else any buffer, not read)
 *   radii   [padded]     largest |u| of each block
 *
 * A unit is VW blocks of one replica (units: ceil(blocks / VW)); one work-item a unit, any
 * work-group size, no local memory. Only the first `keys` tokens count. Deterministic.
 */
__kernel void circle_radii(
    __global const STATE *x,
    __global const STATE *low,
    __global double *radii,
    int replica,
    int n,
    int keys,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  long block = (long)unit * VW;
  size_t base = 2 * (size_t)replica * n;
  VEC largest = (VEC)(0);
  for (int t = 0; t < BLOCK; t++) {
    VEC re, im, live;
    tokens(x + base, low + base, block, t, keys, &re, &im, &live);
    largest = largerOf(largest, fabs(excess(re, im)) * live);
  }
  STOREV(largest, radii + block);
}
