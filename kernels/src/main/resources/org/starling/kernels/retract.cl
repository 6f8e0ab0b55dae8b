/*
 * retract: x_i = x_i / |x_i| for active replicas. Norm, inverse root and product are kept as pairs, so
 * that |x_i| = 1 to the last digit the state holds. A token of norm 0, or with a coordinate that is
 * not finite, becomes NaN throughout.
 *
 * The inverse root: one Newton step r + r (1 - s r^2) / 2 from the working-precision root doubles its
 * digits.
 *
 * Shapes: x state [R][n][d]; active uchar [R].
 * Units: one token, R n of them. One work-item a unit, no local memory, deterministic.
 */
__kernel void retract(STATE(x), __global const uchar *active, int n, int d, ulong first,
                      ulong end) {
  ulong i = first + get_global_id(0);
  if (i >= end) return;
  if (!active[i / (ulong)n]) return;
  ulong at = i * (ulong)d;
  real largest = 0;
  for (int a = 0; a < d; a++) {
    largest = larger(largest, fabs(x[at + a]));
  }
  if (!(largest > (real)0) || isinf(largest)) {
    pair none = (pair)(NAN, NAN);
    for (int a = 0; a < d; a++) {
      WRITE(x, at + a, none);
    }
    return;
  }
  int exponent = norm_exponent(largest);
  pair squares = (pair)(0, 0);
  for (int a = 0; a < d; a++) {
    squares = add_square(squares, READ(x, at + a), exponent);
  }
  real root = (real)1 / sqrt(squares.x);
  pair t = multiply(exact_product(root, root), squares);
  real residual = ((real)1 - t.x) - t.y;
  pair inverse = ordered_sum(root, (real)0.5 * root * residual);
  real scale = ldexp((real)1, -exponent);
  for (int a = 0; a < d; a++) {
    pair unit = multiply(READ(x, at + a) * scale, inverse);
    WRITE(x, at + a, unit);
  }
}
