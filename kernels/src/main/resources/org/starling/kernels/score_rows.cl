/*
 * score_rows: scores of chosen rows against all keys, relative to self.
 *
 *   x, keys   positions of one replica [n][D] and packed (pack.cl), of the replica plan[0]
 *   chosen    [count]          rows asked for
 *   scores    [count][groups NR]  <y_i, x_j - x_i>, y_i = beta log2(e) S^T x_i; unmasked, no bias
 *   own       [count]          <y_i, x_i>
 *   plan, scale, matrices      one slot (plan.cl); `head` chooses S
 *
 * A unit is MR consecutive entries of `chosen` (units: ceil(count / MR)); one work-item a unit,
 * work-group size 1, no local memory. Private memory: MR (2 D + 2 DP + BN) numbers. Defines: those
 * of blocks.cl with TILE DIFFERENCE and BM = MR. Deterministic.
 */
__kernel void score_rows(
    __global const REAL *x,
    __global const REAL *keys,
    __global const int *chosen,
    __global REAL *scores,
    __global REAL *own,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int head,
    int count,
    int n,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  int padded = (n + NR - 1) / NR * NR;
  x += (size_t)plan[0] * n * D;
  keys += (size_t)plan[0] * padded * D;
  plan += PLAN_HEAD + head * PLAN_PER_HEAD;
  REAL q[D * QROW];
  REAL s[MR * BN];
  REAL work[2 * MR * DP];
  TWO self[MR];
  int tokens[MR], first[MR], last[MR];
  int row0 = (int)unit * MR;
  for (int r = 0; r < MR; r++) {
    tokens[r] = chosen[min(row0 + r, count - 1)];
    first[r] = 0;
    last[r] = n - 1;
  }
  prepareQueries(
      x, tokens, plan[0] == DENSE, scale[SCALE_HEAD + head * SCALE_PER_HEAD], matrices + plan[1],
      work, work + MR * DP, q, self);
  for (int r = 0; r < MR && row0 + r < count; r++) {
    own[row0 + r] = self[r].hi + self[r].lo;
  }
  for (int panel = 0; panel < n; panel += BN) {
    int panelEnd = min(panel + BN, n) - 1;
    scoreBlock(q, keys, panel, panelEnd, 1, first, last, s);
    for (int r = 0; r < MR && row0 + r < count; r++) {
      for (int j = panel; j <= panelEnd; j++) {
        scores[(size_t)(row0 + r) * padded + j] = s[r * BN + j - panel];
      }
    }
  }
}
