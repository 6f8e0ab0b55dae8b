/*
 * circle_prefix: from the sums of each block to those of all blocks before it, in place; the number
 * behind the last block becomes the sum of all. Likewise the largest |u|. Layouts in circle.cl.
 *
 *   moments  [columns][padded]   padded > blocks
 *   radii    [padded]
 *
 * A unit is VW columns, and one more the radii (units: ceil(columns / VW) + 1); one work-item a unit, any work-group size, no local memory. Sums are carried as two numbers
 * (Knuth's exact sum), in the order of the blocks: deterministic, and a block's number depends on
 * nothing behind it.
 */
__kernel void circle_prefix(
    __global double *moments,
    __global double *radii,
    int columns,
    int padded,
    int blocks,
    int powers,
    ulong firstUnit,
    ulong endUnit) {
#pragma OPENCL FP_CONTRACT OFF
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int group = (int)unit;
  if (group * VW >= columns) {
    double largest = 0;
    for (int b = 0; b < blocks; b++) {
      double own = radii[b];
      radii[b] = largest;
      largest = own > largest ? own : largest;
    }
    radii[blocks] = largest;
    return;
  }
  int at[VW];
  int any = 0;
  for (int l = 0; l < VW; l++) {
    int column = group * VW + l;
    int live = column < columns && column / 2 % ORDERS < powers;
    at[l] = live ? column : NO_COLUMN;
    any |= live;
  }
  if (!any) {
    return;
  }
  double own[VW], before[VW];
  VEC hi = (VEC)(0), lo = (VEC)(0);
  for (int b = 0; b <= blocks; b++) {
    STOREV(hi + lo, before);
    for (int l = 0; l < VW; l++) {
      own[l] = 0;
      if (at[l] != NO_COLUMN) {
        __global double *to = moments + (size_t)at[l] * padded + b;
        own[l] = b < blocks ? *to : 0;
        *to = before[l];
      }
    }
    VEC add = LOADV(own);
    VEC s = hi + add;
    VEC t = s - hi;
    lo += (hi - (s - t)) + (add - t);
    hi = s;
  }
}
