/*
 * freeze: sets the field of frozen tokens to 0.
 *
 *   field  [R][n][D]    attention output or velocity
 *   tokens [count]      frozen tokens, counted over all replicas: replica n + token
 *
 * A unit is one frozen token (units: count); one work-item a unit, any work-group size. Deterministic.
 * Defines: those of real.cl, D.
 */
__kernel void freeze(
    __global REAL *field, __global const long *tokens, ulong first, ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  __global REAL *to = field + (size_t)tokens[unit] * D;
  for (int c = 0; c < D; c++) {
    to[c] = 0;
  }
}
