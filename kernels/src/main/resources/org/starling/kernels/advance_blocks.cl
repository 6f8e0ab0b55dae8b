/*
 * advance_blocks: whole Runge-Kutta steps of replicas of few tokens in many dimensions, for CPU devices:
 * what pack, attend_blocks, combine and retract do, without a launch for each. A step to a state that is
 * not finite is not made, and is the last.
 *
 *   x, previous, field, order, size, made, motions, tableau   as in advance_replicas.cl (the third number
 *                 of order, and of size, is not read); previous is left alone where no step is made
 *   work          [units][3 + stages] fields (block_team.cl): three states, slopes
 *   keys          [units][2] packed keys as in attend_blocks.cl
 *   results       [units][blocks][2]  of a step: the largest |h k_i|^2 / |x_i|^2 of the first slope; -token
 *                 where one is not finite
 *   counts        [units][blocks][2]  tokens below range over all slopes, the first of them
 *   team          [units][TEAM]  as in block_team.cl
 *   plan, scale, matrices  as in attend_blocks.cl, a slot per replica
 *
 * A unit is a replica of `order`; `members` work-items serve each one, neighbours; work-group size 1, no
 * local memory. Private memory: that of attend_blocks.cl.
 * Defines: those of block_team.cl; TILE PRODUCT, HARDMAX 0, HALF 0.
 *
 * Deterministic, whichever work-items run and when: a replica's numbers depend on its own state, layer
 * and step size only, and a row under a causal mask on nothing behind its last key.
 */
#define STAGE (KIND + 1)
#define SIDE_OF_KEYS (KIND + 2)
#define CURRENT (KIND + 3)
#define BEFORE (KIND + 4)
#define MADE (KIND + 5)
#define BAD (KIND + 6)
#define STATES 3
#define MOST_STAGES 8

__kernel void advance_blocks(
    __global REAL *x,
    __global REAL *previous,
    __global REAL *field,
    __global const int *order,
    __global const REAL *size,
    __global int *made,
    __global REAL *motions,
    __global const REAL *tableau,
    __global VEC *work,
    __global REAL *keys,
    __global REAL *results,
    __global int *counts,
    volatile __global int *team,
    int stages,
    int members,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0) / members;
  if (unit >= endUnit) {
    return;
  }
  order += unit * 3;
  size += unit * 3;
  made += unit * 4;
  team += unit * TEAM;
  int blocks = (n + BM - 1) / BM, groups = (n + KEYS - 1) / KEYS;
  size_t side = (size_t)groups * (DP * KEYS), length = (size_t)blocks * BLOCK_VECTORS;
  size_t replica = order[0];
  int steps = order[1];
  plan += replica * planStride;
  scale += replica * scaleStride;
  x += replica * n * D;
  previous += replica * n * D;
  field += replica * n * D;
  work += unit * (STATES + stages) * length;
  keys += unit * 2 * side;
  results += unit * blocks * 2;
  counts += unit * blocks * 2;
  int sphere = plan[4] == FORM_SPHERE;
  REAL h = size[0];
  __global VEC *slopes = work + STATES * length;

  for (;;) {
    int block = nextBlock(team, blocks);
    int kind = team[KIND], stage = team[STAGE];
    if (kind == OVER) {
      break;
    }
    int row0 = block * BM, tiles = (min(BM, n - row0) + ROWS - 1) / ROWS;
    size_t at = (size_t)block * BLOCK_VECTORS;
    int current = team[CURRENT], before = team[BEFORE];
    int following = 3 - current - before;
    __global REAL *seen = keys + team[SIDE_OF_KEYS] * side;
    __global REAL *next = keys + (1 - team[SIDE_OF_KEYS]) * side;
    VEC y[TILE_VECTORS];
    if (kind == LOAD) {
      before = 1;
      counts[2 * block] = 0;
      for (int t = 0; t < tiles; t++) {
        loadTile(x, row0 + t * ROWS, n, y);
        copyTile(y, work + at + t * TILE_VECTORS);
        packTile(y, row0 + t * ROWS, n, next);
      }
    }
    if (kind == SLOPE) {
      int below;
      int first = attendBlock(
          seen, slopes + stage * length + at, plan, scale, matrices, n, !(op & OP_RAW), block,
          &below);
      countBelow(counts, 0, blocks, block, below, first);
      int last = stage == stages - 1;
      REAL high[MOST_STAGES], low[MOST_STAGES];
      timesStep(
          tableau + (stage + 1) * stages, (stages + 1) * stages, stages, h, size[1], high, low);
      REAL fastest = 0, bad = NEGATIVE_INFINITY;
      for (int t = 0; t < tiles && !(op & OP_SLOPE); t++) {
        size_t tile = at + t * TILE_VECTORS;
        __global const VEC *old = work + current * length + tile;
        stepTile(old, slopes + tile, length, stage + 1, high, low, y);
        if (last) {
          if (sphere) {
            retractTile(y);
          }
          for (int v = NV - 1; v >= 0; v--) {
            VEC square = (VEC)(0), speed = (VEC)(0);
            IVEC lost = (IVEC)(0);
            for (int c = 0; c < D; c++) {
              VEC a = old[c * NV + v], b = (VEC)(h) * slopes[tile + c * NV + v];
              square = a * a + square;
              speed = b * b + speed;
              lost |= (y[c * NV + v] - y[c * NV + v]) != (VEC)(0);
            }
            IVEC live = liveLanes(row0 + t * ROWS, v, n);
            speed = speed / square;
            speed = (live & (speed > (VEC)(fastest))) ? speed : (VEC)(fastest);
            fastest = maxLanes(speed);
            REAL own = firstLane(lost & live, row0 + t * ROWS + v * VW, n, NEGATIVE_INFINITY);
            bad = own > bad ? own : bad;
          }
          copyTile(y, work + following * length + tile);
        }
        packTile(y, row0 + t * ROWS, n, next);
      }
      if (last) {
        results[2 * block] = fastest;
        results[2 * block + 1] = bad;
      }
    }
    if (kind == STORE) {
      for (int t = 0; t < tiles; t++) {
        size_t tile = at + t * TILE_VECTORS;
        if (op & OP_SLOPE) {
          storeTile(slopes + tile, row0 + t * ROWS, n, field);
        } else if (team[MADE] > 0) {
          storeTile(work + current * length + tile, row0 + t * ROWS, n, x);
          if (op & OP_KEEP) {
            storeTile(work + before * length + tile, row0 + t * ROWS, n, previous);
          }
        }
      }
    }
    if (!endsPhase(team, blocks)) {
      continue;
    }
    int then = SLOPE;
    if (kind == STORE) {
      then = OVER;
      int below = 0, first = NONE;
      for (int b = 0; b < blocks; b++) {
        if (counts[2 * b] > 0) {
          first = below == 0 ? counts[2 * b + 1] : min(first, counts[2 * b + 1]);
          below += counts[2 * b];
        }
      }
      made[0] = team[MADE];
      made[1] = team[BAD] - 1;
      made[2] = below;
      made[3] = first;
    } else if (kind == LOAD) {
      team[BEFORE] = before;
      team[SIDE_OF_KEYS] = 1;
      motions[unit] = 0;
    } else if (op & OP_SLOPE) {
      then = STORE;
    } else {
      team[SIDE_OF_KEYS] = 1 - team[SIDE_OF_KEYS];
      team[STAGE] = (stage + 1) % stages;
      if (stage == stages - 1) {
        REAL fastest = 0, bad = NEGATIVE_INFINITY;
        for (int b = 0; b < blocks; b++) {
          fastest = results[2 * b] > fastest ? results[2 * b] : fastest;
          bad = results[2 * b + 1] > bad ? results[2 * b + 1] : bad;
        }
        if (bad == NEGATIVE_INFINITY) {
          team[MADE]++;
          team[BEFORE] = current;
          team[CURRENT] = following;
          motions[unit] = fastest;
        } else {
          team[BAD] = 1 - (int)bad;
        }
        then = bad == NEGATIVE_INFINITY && team[MADE] < steps ? SLOPE : STORE;
      }
    }
    nextPhase(team, then);
  }
}
