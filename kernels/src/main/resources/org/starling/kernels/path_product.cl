/*
 * C = A B for a batch of matrices, rows of all of them padded to whole strips of columns.
 *
 * Joined after real.cl. Further defines: ROWS rows and COLUMNS vectors of a block of C, which a
 * work-item holds in registers; the columns of B and C are multiples of COLUMNS * VW.
 *
 *   a, b, c   REAL: element (r, k) of matrix m at offset + m * batch + r * leading + k
 *   sizes     rows M of C, columns N of C (with padding), inner size K
 *   batches   number of matrices
 * A unit is one block of one C: units run over column strips, then row blocks, then matrices, so
 * that neighbouring items share A and read neighbouring columns of B. Sums over k are in order.
 */
#define STRIP (COLUMNS * VW)

__kernel void path_product(
    __global const REAL *restrict a, const long a_offset, const long a_batch, const int a_leading,
    __global const REAL *restrict b, const long b_offset, const long b_batch, const int b_leading,
    __global REAL *restrict c, const long c_offset, const long c_batch, const int c_leading,
    const int m, const int n, const int inner, const ulong first, const ulong end) {
  const ulong unit = first + get_global_id(0);
  if (unit >= end) return;
  const int strips = n / STRIP;
  const int blocks = (m + ROWS - 1) / ROWS;
  const int strip = (int)(unit % (ulong)strips);
  const ulong rest = unit / (ulong)strips;
  const int block = (int)(rest % (ulong)blocks);
  const long matrix = (long)(rest / (ulong)blocks);
  const int row = block * ROWS;
  __global const REAL *from = b + b_offset + matrix * b_batch + (long)strip * STRIP;
  __global const REAL *left[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    /* Rows beyond the last one repeat it and are not stored. */
    left[r] = a + a_offset + matrix * a_batch + (long)min(row + r, m - 1) * a_leading;
  }
  VEC sum[ROWS][COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
#pragma unroll
    for (int v = 0; v < COLUMNS; v++) {
      sum[r][v] = (VEC)(0);
    }
  }
  for (int k = 0; k < inner; k++) {
    VEC value[COLUMNS];
#pragma unroll
    for (int v = 0; v < COLUMNS; v++) {
      value[v] = LOADV(from + (long)k * b_leading + v * VW);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      const VEC factor = (VEC)(left[r][k]);
#pragma unroll
      for (int v = 0; v < COLUMNS; v++) {
        sum[r][v] = fma(factor, value[v], sum[r][v]);
      }
    }
  }
  __global REAL *to = c + c_offset + matrix * c_batch + (long)row * c_leading + (long)strip * STRIP;
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    if (row + r < m) {
#pragma unroll
      for (int v = 0; v < COLUMNS; v++) {
        STOREV(sum[r][v], to + (long)r * c_leading + v * VW);
      }
    }
  }
}
