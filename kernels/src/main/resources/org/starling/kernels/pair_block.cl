/*
 * A block of rows against all keys without a mask: the frame of the pair kernels. A kernel sets up
 * with PAIR_BLOCK_BEGIN, prepares its queries, and visits panel after panel with scoreBlock.
 */
#define PAIR_BLOCK_BEGIN                                                           \
  ulong unit = firstUnit + get_global_id(0);                                       \
  if (unit >= endUnit) {                                                           \
    return;                                                                        \
  }                                                                                \
  int blocks = (n + BM - 1) / BM;                                                  \
  int slot = (int)(unit / blocks);                                                 \
  int row0 = (int)(unit - (ulong)slot * blocks) * BM;                              \
  int rows = min(BM, n - row0);                                                    \
  int groups = (rows + MR - 1) / MR;                                               \
  int padded = (n + NR - 1) / NR * NR;                                             \
  REAL q[BM * D * QROW / MR];                                                      \
  REAL s[BM * BN];                                                                 \
  REAL work[2 * MR * DP];                                                          \
  TWO self[BM];                                                                    \
  int first[BM], last[BM];                                                         \
  for (int r = 0; r < BM; r++) {                                                   \
    first[r] = 0;                                                                  \
    last[r] = n - 1;                                                               \
  }

/* Queries of the block for one S. */
void prepareBlock(
    __global const REAL *x,
    int row0,
    int n,
    int dense,
    REAL factor,
    __global const REAL *matrix,
    int groups,
    REAL *work,
    REAL *q,
    TWO *self) {
  for (int g = 0; g < groups; g++) {
    int tokens[MR];
    for (int r = 0; r < MR; r++) {
      tokens[r] = min(row0 + g * MR + r, n - 1);
    }
    prepareQueries(
        x, tokens, dense, factor, matrix, work, work + MR * DP, q + g * D * QROW, self + g * MR);
  }
}
