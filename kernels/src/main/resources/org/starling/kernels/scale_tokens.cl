/*
 * scale_tokens: v_i = v_i speed / |y_i| if `inverse`, else v_i speed |y_i|, for active replicas: what the
 * normalisation schemes do with velocities. Where |y_i| = 0 there is nothing to divide by and v_i stays.
 * A norm that is not finite makes the token's velocity NaN.
 *
 * Shapes: v, y fields or values of a state [R][n][d] (may be the same buffer); active uchar [R].
 * Units: one token, R n of them. One work-item a unit, no local memory, deterministic.
 * Defines: PRECISION_*.
 */
__kernel void scale_tokens(__global real *v, __global const real *y, __global const uchar *active, int n,
                           int d, real speed, int inverse, ulong first, ulong end) {
  ulong i = first + get_global_id(0);
  if (i >= end || !active[i / (ulong)n]) return;
  ulong at = i * (ulong)d;
  real top = 0;
  for (int a = 0; a < d; a++) {
    top = larger(top, fabs(y[at + a]));
  }
  int exponent = norm_exponent(top);
  pair squares = (pair)(0, 0);
  for (int a = 0; a < d; a++) {
    squares = add_square(squares, (pair)(y[at + a], (real)0), exponent);
  }
  real length = norm_of(top, squares, exponent);
  real factor = inverse ? (length == (real)0 ? (real)1 : speed / length) : speed * length;
  factor = isinf(length) ? (real)NAN : factor;
  for (int a = 0; a < d; a++) {
    v[at + a] *= factor;
  }
}
