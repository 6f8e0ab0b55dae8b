/*
 * sphere_radii: how far the tokens of a block are off the sphere.
 *
 *   x, low  [R][n][3]   positions, and corrections (MIXED; else any buffer, not read)
 *   radii   [blocks]    largest ||z|^2 - 1| of each block; infinite for a NaN
 *
 * A unit is a block of one replica (units: ceil(keys / BLOCK)); one work-item a unit, any work-group
 * size, no local memory. Only the first `keys` tokens count. Deterministic.
 */
__kernel void sphere_radii(
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
  size_t base = 3 * (size_t)replica * n;
  double at[3 * BLOCK], largest[VW], all = 0;
  tokensOf(x + base, low + base, (long)unit, keys, at);
  VEC of = (VEC)(0);
  for (int t = 0; t < BLOCK; t += VW) {
    VEC a = LOADV(at + t), b = LOADV(at + BLOCK + t), c = LOADV(at + 2 * BLOCK + t);
    VEC u = fabs(excess(a, b, c));
    IVEC live = LANES + (INTR)((long)unit * BLOCK + t) < (IVEC)((INTR)keys);
    of = largerOf(of, live ? u : (VEC)(0));
  }
  STOREV(of, largest);
  for (int l = 0; l < VW; l++) {
    all = largest[l] > all ? largest[l] : all;
  }
  radii[unit] = all;
}
