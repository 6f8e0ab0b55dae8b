/*
 * probe_memory: the bandwidth of device memory, by McCalpin's STREAM kernels (copy, triad) and a sum.
 *
 *   x, y   [units][BLOCK] float4  read; y by the triad only
 *   z      [units][BLOCK] float4  written; by the sum: its first [units][local size]
 *
 * A unit is BLOCK vectors, shared by the work-items of one work-group so that neighbours take
 * neighbouring vectors. No local memory. Deterministic.
 * Defines: BLOCK, a multiple of 4 local sizes; OPERATION 0 copy z = x, 1 triad z = x + 3 y, 2 read: sum of x.
 */
__kernel void probe_memory(
    __global const float4 *x, __global const float4 *y, __global float4 *z, ulong first, ulong end) {
  ulong unit = first + get_group_id(0);
  if (unit >= end) {
    return;
  }
  size_t local_size = get_local_size(0);
  ulong at = unit * BLOCK;
#if OPERATION == 2
  /* Four sums, or the additions would wait for each other. */
  float4 sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (size_t k = get_local_id(0); k < BLOCK; k += 4 * local_size) {
    sum[0] += x[at + k];
    sum[1] += x[at + k + local_size];
    sum[2] += x[at + k + 2 * local_size];
    sum[3] += x[at + k + 3 * local_size];
  }
  z[unit * local_size + get_local_id(0)] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
#else
  for (size_t k = get_local_id(0); k < BLOCK; k += local_size) {
#if OPERATION == 0
    z[at + k] = x[at + k];
#else
    z[at + k] = x[at + k] + 3.0f * y[at + k];
#endif
  }
#endif
}
