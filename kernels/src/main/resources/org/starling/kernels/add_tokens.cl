/*
 * add_tokens: v_i = v_i + z_i for active replicas, or v_i + z_i - (<z_i, x_i> / |x_i|^2) x_i if tangent.
 *
 * Shapes: v, z fields, x values of a state, [R][n][d]; active uchar [R].
 * Units: one token, R n of them. One work-item a unit, no local memory, deterministic.
 * Defines: PRECISION_*.
 */
__kernel void add_tokens(__global real *v, __global const real *z, __global const real *x,
                         __global const uchar *active, int n, int d, int tangent, ulong first, ulong end) {
  ulong i = first + get_global_id(0);
  if (i >= end || !active[i / (ulong)n]) return;
  ulong at = i * (ulong)d;
  real radial = 0;
  real square = 0;
  for (int a = 0; a < d; a++) {
    radial = fma(z[at + a], x[at + a], radial);
    square = fma(x[at + a], x[at + a], square);
  }
  real along = radial / square;
  for (int a = 0; a < d; a++) {
    v[at + a] += tangent ? fma(-along, x[at + a], z[at + a]) : z[at + a];
  }
}
