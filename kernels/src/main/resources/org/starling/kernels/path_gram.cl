/*
 * Sums over examples and coordinates of x_p y_q for every pair of paths, in parts of PART examples
 * each, which the host adds up in float64 in a fixed order.
 *
 * Joined after real.cl. Further define: PART.
 *
 *   x, y   REAL [count][paths][width], width a multiple of VW and padded with zeros
 *   out    REAL [parts][paths][paths]
 * A unit is one number of `out`.
 */
__kernel void path_gram(
    __global const REAL *restrict x, __global const REAL *restrict y, __global REAL *restrict out,
    const int count, const int paths, const int width, const ulong first, const ulong end) {
  const ulong unit = first + get_global_id(0);
  if (unit >= end) return;
  const int q = (int)(unit % (ulong)paths);
  const int p = (int)(unit / (ulong)paths % (ulong)paths);
  const int part = (int)(unit / (ulong)paths / (ulong)paths);
  VEC sum = (VEC)(0);
  for (int a = part * PART; a < min(count, (part + 1) * PART); a++) {
    __global const REAL *left = x + ((long)a * paths + p) * width;
    __global const REAL *right = y + ((long)a * paths + q) * width;
    for (int i = 0; i < width; i += VW) {
      sum = fma(LOADV(left + i), LOADV(right + i), sum);
    }
  }
  REAL lane[VW];
  STOREV(sum, lane);
  REAL all = lane[0];
  for (int l = 1; l < VW; l++) {
    all += lane[l];
  }
  out[unit] = all;
}
