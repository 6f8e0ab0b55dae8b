/*
 * to = from^T, with zeros where a row of `to` is padded.
 *
 * Joined after real.cl.
 *
 *   from   REAL [rows][columns], row r at r * columns
 *   to     REAL [columns][padded], padded >= rows
 * A unit is a row of `to`.
 */
__kernel void path_transpose(
    __global const REAL *restrict from, __global REAL *restrict to, const int rows,
    const int columns, const int padded, const ulong first, const ulong end) {
  const ulong unit = first + get_global_id(0);
  if (unit >= end) return;
  __global REAL *row = to + unit * (ulong)padded;
  for (int r = 0; r < padded; r++) {
    row[r] = r < rows ? from[(ulong)r * (ulong)columns + unit] : (REAL)0;
  }
}
