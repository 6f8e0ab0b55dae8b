/*
 * second_moment: a 4 x 4 tile of sum_i x_i x_i^T over one block of tokens of one replica, for the rows
 * row .. row + rows - 1 of the matrix. Products are summed over 32 tokens in working precision and
 * those sums as pairs; the host adds the blocks in order in float64.
 *
 * Shapes: x values [R][n][d], from `replica`; part pair [blocks][rows][d]; rows a multiple of 4 or
 *   reaching d.
 * Units: one tile, blocks ceil(rows/4) ceil(d/4) of them. One work-item a unit, no local memory,
 *   deterministic.
 */
#define TOKENS_PER_RUN 32UL

__kernel void second_moment(__global const real *x, __global pair *part, ulong replica, int n,
                            int d, int row, int rows, ulong block, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  ulong across = ((ulong)d + 3) / 4;
  ulong down = ((ulong)rows + 3) / 4;
  ulong line = u / across;
  ulong b = line / down;
  int b0 = 4 * (int)(u - line * across);
  int a0 = 4 * (int)(line - b * down);
  ulong from = b * block;
  ulong to = min(from + block, (ulong)n);
  pair total[16];
  real run[16];
  for (int e = 0; e < 16; e++) {
    total[e] = (pair)(0, 0);
  }
  for (ulong start = from; start < to; start += TOKENS_PER_RUN) {
    ulong stop = min(start + TOKENS_PER_RUN, to);
    for (int e = 0; e < 16; e++) {
      run[e] = 0;
    }
    for (ulong i = start; i < stop; i++) {
      __global const real *xi = x + (replica * (ulong)n + i) * (ulong)d;
      // Coordinates beyond the edge repeat the last one; their results are not stored.
      for (int p = 0; p < 4; p++) {
        real left = xi[min(row + a0 + p, d - 1)];
        for (int q = 0; q < 4; q++) {
          run[4 * p + q] = fma(left, xi[min(b0 + q, d - 1)], run[4 * p + q]);
        }
      }
    }
    for (int e = 0; e < 16; e++) {
      total[e] = add(total[e], (pair)(run[e], (real)0));
    }
  }
  for (int p = 0; p < 4; p++) {
    for (int q = 0; q < 4; q++) {
      if (a0 + p < rows && b0 + q < d) {
        part[(b * (ulong)rows + a0 + p) * (ulong)d + b0 + q] = total[4 * p + q];
      }
    }
  }
}
