/*
 * attend_blocks: attention output or velocity of row blocks, for CPU devices and D > 8.
 *
 *   positions  [R][n][D]   with HALF only
 *   keys                   packed positions (pack.cl, groups of KEYS; with HALF pack_half.cl)
 *   out        [R][n][D]   field (op 0: u_i, op 1: velocity of the slot's geometry)
 *   plan, scale, matrices  layer of each slot (plan.cl); a dense matrix M[D][D] is stored as
 *                          [DP / KEYS][D][KEYS] with M = S (rows first index) or M = V transposed
 *   small      [R][ceil(n / BM)][2]  tokens whose field is non-zero but below SMALLEST are added to
 *              the count of their block, and the first of them kept (countBelow in plan.cl)
 *
 * A unit is a block of BM rows of one slot (units: slots * ceil(n / BM)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: 3 BM DP + (BN + DP) ROWS numbers, and BN DP more with
 * HALF.
 * Defines: those of row_tiles.cl, key_panels.cl and block_rows.cl, TILED 0.
 *
 * Scores: y_i = beta log2(e) S^T x_i; s_ij = <y_i, x_j>, or relative to self, <y_i, x_j - x_i>, with
 * DIFFERENCE: exact where tokens nearly coincide, better where |y| is large. The sum runs over
 * j != i relative to the running maximum over j != i; the self score, a compensated dot product,
 * joins at the end (weights.cl). Keys outside a row's interval contribute nothing, not even a NaN,
 * and all sums of a row run in key order in panels aligned to multiples of BN: deterministic, and
 * a row depends on nothing behind its last key.
 *
 * With HALF (float32, without HARDMAX: rounding would choose between near keys) others' keys and values
 * are y_j, x_j rounded to half; a row's own token is not. So the sums are exactly those of
 * Delta_i = sum over j != i of w_ij (y_j - x_i) with s_ij = <beta S^T x_i, y_j>, while the self score and
 * the self term belong to x_i: the self term still projects to exactly 0 for V = c I, and where w_ii is
 * nearly 1 a velocity keeps its digits, as it would not with w_ii (y_i - x_i) in the sum. Errors of keys
 * in one cluster average out, and tokens that coincide in half still draw together, each to the common
 * y_j. A velocity is continuous in its own token and piecewise constant in the others.
 */
__kernel void attend_blocks(
#if HALF
    __global const REAL *positions,
#endif
    __global const PACKED *keys,
    __global REAL *out,
    __global int *small,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int blocks = (n + BM - 1) / BM;
  ulong slot = unit / blocks;
  int block = zigzag((int)(unit - slot * blocks), blocks);
  plan += slot * planStride;
  scale += slot * scaleStride;
  size_t replica = plan[0];
  out += replica * n * D;
  keys += replica * ((n + KEYS - 1) / KEYS) * (size_t)(DP * KEYS);
  int below;
  int first = attendBlock(
#if HALF
      positions + replica * n * D,
#endif
      keys, out, plan, scale, matrices, n, op, block, &below);
  countBelow(small, replica, blocks, block, below, first);
}
