/*
 * map_tokens: z_i = sigma(M y_i + b) for active replicas, a coordinate a work-item: half of a feed-forward
 * term. kind of sigma: 0 identity, 1 max(., 0), 2 tanh; NaN stays NaN.
 *
 * Shapes: z, y fields or values of a state [R][n][d] (two buffers); matrix [d][d]; bias [d]; active uchar [R].
 * Units: one coordinate of a token, R n d of them. No local memory, deterministic, sums in order of index.
 * Defines: PRECISION_*.
 */
__kernel void map_tokens(__global real *z, __global const real *y, __global const real *matrix,
                         __global const real *bias, __global const uchar *active, int n, int d, int kind,
                         ulong first, ulong end) {
  ulong k = first + get_global_id(0);
  if (k >= end) return;
  ulong i = k / (ulong)d;
  if (!active[i / (ulong)n]) return;
  ulong row = k - i * (ulong)d;
  ulong at = i * (ulong)d;
  real sum = 0;
  for (int c = 0; c < d; c++) {
    sum = fma(matrix[row * (ulong)d + c], y[at + c], sum);
  }
  sum += bias[row];
  if (kind == 1) {
    sum = sum < (real)0 ? (real)0 : sum;
  }
  if (kind == 2) {
    sum = tanh(sum);
  }
  z[k] = sum;
}
