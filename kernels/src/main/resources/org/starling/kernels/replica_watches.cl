/*
 * What makes the kernels of whole steps leave a replica alone: conditions that may hold at the state
 * it has reached. They are a little looser than what is asked for (see the host), so that none is
 * missed; whoever stands behind them judges by the exact ones. Defines: those of
 * advance_replicas.cl; WATCHED 0|1, whether there are any.
 *
 *   watches [1 + 3 count + units count]  how many there are; kind, clusters and steps between two
 *           looks of each; then for each unit the steps that it had made, modulo those
 *   bounds  [count]  WATCH_COSINE: of 1 - cosine; others: of a squared distance
 */
#define WATCH_COSINE 0
#define WATCH_DISTANCE 1
#define WATCH_FIRST 2

#if WATCHED
/*
 * Whether there are at most `most` clusters of tokens linked one with the other; with WATCH_FIRST
 * whether all tokens are linked with the first one; 0 unless `going`. Clusters are taken one after the
 * other, from their lowest token outwards, until there are too many: level [NMAX] is 0 where a
 * token is in none yet, else 1 + the round in which it was found.
 */
int fewClusters(
    int going, KEYS const REAL *key, int item, int n, int kind, REAL bound, int most,
    KEYS REAL *norm, KEYS int *level) {
  EACH_BLOCK(b) {
    VEC x[D];
    EACH(c) {
      x[c] = LOADV(key + c * NMAX + BLOCK_ROW(b));
    }
    STOREV(lengthLanes(x), norm + BLOCK_ROW(b));
    for (int l = 0; l < VW; l++) {
      level[BLOCK_ROW(b) + l] = BLOCK_ROW(b) + l < n ? 0 : NONE;
    }
  }
#if STAGED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int clusters = 0, holds = 0;
  for (int round = 1; going; round++) {
    int seed = NONE, found = 0;
    for (int j = n - 1; j >= 0; j--) {
      seed = level[j] == 0 ? j : seed;
      found |= level[j] == round;
    }
    holds = seed == NONE;
    going = !holds && (found ? kind != WATCH_FIRST : clusters < most);
    clusters += !found;
    seed = found ? NONE : seed;
    IVEC linked[BLOCKS];
    int left = 0;
    EACH_BLOCK(b) {
      linked[b] = (IVEC)(0);
      left |= ANY_LANE(LOADI(level + BLOCK_ROW(b)) == (IVEC)(0));
    }
    int keys = going && left ? n : 0;
    for (int j = 0; j < keys; j++) {
      if (level[j] != round && j != seed) {
        continue;
      }
      VEC other = (VEC)(norm[j]);
      EACH_BLOCK(b) {
        VEC squared = (VEC)(0);
        EACH(c) {
          VEC d = LOADV(key + c * NMAX + BLOCK_ROW(b)) - (VEC)(key[c * NMAX + j]);
          squared = d * d + squared;
        }
        if (kind == WATCH_COSINE) {
          VEC own = LOADV(norm + BLOCK_ROW(b));
          VEC gap = own - other, product = own * other;
          linked[b] |= squared - gap * gap <= (VEC)(2 * bound) * product;
        } else {
          linked[b] |= squared <= (VEC)(bound);
        }
      }
    }
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    EACH_BLOCK(b) {
      INTR lanes[VW];
      STOREIV(linked[b], lanes);
      for (int l = 0; l < VW; l++) {
        int row = BLOCK_ROW(b) + l;
        if (level[row] == 0 && (lanes[l] || row == seed)) {
          level[row] = round + 1;
        }
      }
    }
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  return holds;
}

/*
 * Whether a watch that is due after so many steps may hold, where `looking`; key [D][NMAX]: the tokens.
 * Barriers stand under no condition but those of loops: each other one would be compiled twice.
 */
int watchMayHold(
    int looking, KEYS const REAL *key, int item, int n, ulong unit, int done,
    __global const int *watches, __global const REAL *bounds, KEYS REAL *norm, KEYS int *level) {
  int count = watches[0], found = 0;
  int looks = looking ? count : 0;
  for (int w = 0; w < looks; w++) {
    __global const int *watch = watches + 1 + 3 * w;
    int due = (watches[1 + 3 * count + unit * count + w] + done) % watch[2] == 0;
    found |= fewClusters(
        due && !found, key, item, n, watch[0], bounds[w], watch[1], norm, level);
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  return found;
}
#endif
