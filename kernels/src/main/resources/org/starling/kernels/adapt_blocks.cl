/*
 * adapt_blocks: whole steps by an adaptive scheme whose last slope is that of the new state, of replicas
 * of few tokens in many dimensions, for CPU devices; many attempts in a launch.
 *
 *   x, end, slope0.., order, clock, pace, made, tableau, law, reach, before, least   as in
 *                 adapt_replicas.cl (the fourth number of order and the last of pace are not read)
 *   work          [units][2 + PLACES] fields (block_team.cl): the state, the end of the attempt, slopes
 *   keys, counts, team, members, plan, scale, matrices   as in advance_blocks.cl
 *   results       [units][blocks][3]  of an attempt: the largest error, the largest |h k_i| / |x_i| of the
 *                 first slope; -token where that slope is not finite
 *
 * Units, work-items, memory, defines (and STAGES) and determinism are as in advance_blocks.cl.
 */
#define STAGE (KIND + 1)
#define SIDE_OF_KEYS (KIND + 2)
#define KNOWN (KIND + 3)
#define AT_LAST (KIND + 4)
#define HELD (KIND + 5)
#define REFUSED (KIND + 6)
#define LOST (KIND + 7)
#define UNCOUNTED (KIND + 8)
#define STUCK (KIND + 9)
#define STEPS (KIND + 10)
#define REJECTIONS (KIND + 11)
#define STATES 2
#define PLACES (STAGES - 1)
#define PLACE(s) ((s) == PLACES ? 1 : (s))

/* |x_i| without overflow of squares; 0 for 0 and for what is next to it. */
VEC lengthOf(const VEC *x, int v) {
  VEC largest = (VEC)(0), square = (VEC)(0);
  for (int c = 0; c < D; c++) {
    VEC size = fabs(x[c * NV + v]);
    largest = size > largest ? size : largest;
  }
  VEC unit = largest > (VEC)(SMALLEST) ? largest : (VEC)(1);
  VEC inverse = (VEC)(1) / unit;
  for (int c = 0; c < D; c++) {
    VEC part = x[c * NV + v] * inverse;
    square = part * part + square;
  }
  return unit * sqrt(square);
}

__kernel void adapt_blocks(
    __global REAL *x,
    __global REAL *end,
    __global REAL *slope0,
    __global REAL *slope1,
    __global REAL *slope2,
    __global REAL *slope3,
    __global REAL *slope4,
    __global REAL *slope5,
    __global const int *order,
    __global ulong *clock,
    __global REAL *pace,
    __global int *made,
    __global const REAL *tableau,
    __global const REAL *law,
    ulong reach,
    ulong before,
    ulong least,
    __global VEC *work,
    __global REAL *keys,
    __global REAL *results,
    __global int *counts,
    volatile __global int *team,
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
  order += unit * 6;
  clock += unit * 2;
  pace += unit * 5;
  made += unit * 7;
  team += unit * TEAM;
  int blocks = (n + BM - 1) / BM, groups = (n + KEYS - 1) / KEYS;
  size_t side = (size_t)groups * (DP * KEYS), length = (size_t)blocks * BLOCK_VECTORS;
  size_t replica = order[0], base = replica * n * D;
  plan += replica * planStride;
  scale += replica * scaleStride;
  work += unit * (STATES + PLACES) * length;
  keys += unit * 2 * side;
  results += unit * blocks * 3;
  counts += unit * blocks * 2;
  int sphere = plan[4] == FORM_SPHERE;
  __global VEC *state = work, *tip = work + length, *k = work + STATES * length;
  int rest = (STAGES + 1) * PLACES;

  for (;;) {
    int block = nextBlock(team, blocks);
    int kind = team[KIND], stage = team[STAGE], held = team[HELD];
    if (kind == OVER) {
      break;
    }
    int row0 = block * BM, tiles = (min(BM, n - row0) + ROWS - 1) / ROWS;
    size_t at = (size_t)block * BLOCK_VECTORS;
    __global REAL *seen = keys + team[SIDE_OF_KEYS] * side;
    __global REAL *next = keys + (1 - team[SIDE_OF_KEYS]) * side;
    REAL h = pace[0], high[PLACES], low[PLACES];
    VEC y[TILE_VECTORS];
    if (kind == LOAD) {
      counts[2 * block] = 0;
    }
    if (kind == SLOPE) {
      int below;
      int first = attendBlock(
          seen, k + PLACE(stage) * length + at, plan, scale, matrices, n, !(op & OP_RAW), block,
          &below);
      if (stage > 0 || !team[UNCOUNTED]) {
        countBelow(counts, 0, blocks, block, below, first);
      }
    }
    /* The next stage: one of a step, the state that a step has led to, or the one at the start. */
    int steps = (kind == SLOPE && stage < PLACES) || (kind == BEGIN && team[KNOWN]);
    int from = kind == SLOPE ? stage + 1 : 1;
    timesStep(tableau + from * PLACES, rest, PLACES, h, pace[1], high, low);
    for (int t = 0; t < tiles && !(op & OP_SLOPE && kind == SLOPE) && kind != STORE; t++) {
      size_t tile = at + t * TILE_VECTORS;
      if (kind == LOAD) {
        loadTile(x + base, row0 + t * ROWS, n, y);
        copyTile(y, state + tile);
      }
      if (kind == BEGIN && held) {
        for (int e = 0; e < TILE_VECTORS; e++) {
          y[e] = tip[tile + e];
          if (team[AT_LAST]) {
            k[tile + e] = k[length + tile + e];
          }
        }
        if (sphere) {
          retractTile(y);
        }
        copyTile(y, state + tile);
      }
      if (steps) {
        stepTile(state + tile, k + tile, length, min(from, PLACES), high, low, y);
      }
      if (kind != SLOPE || steps) {
        packTile(y, row0 + t * ROWS, n, next);
      }
      if (kind == SLOPE && from == PLACES) {
        copyTile(y, tip + tile);
      }
    }
    if (kind == SLOPE && stage == PLACES) {
      timesStep(tableau + STAGES * PLACES, rest, PLACES, h, pace[1], high, low);
      REAL worst = 0, fastest = 0, bad = NEGATIVE_INFINITY;
      for (int t = tiles - 1; t >= 0; t--) {
        size_t tile = at + t * TILE_VECTORS;
        VEC fromSize[NV], toSize[NV], speed[NV];
        for (int e = 0; e < TILE_VECTORS; e++) {
          y[e] = state[tile + e];
        }
        for (int v = 0; v < NV; v++) {
          fromSize[v] = lengthOf(y, v);
        }
        for (int e = 0; e < TILE_VECTORS; e++) {
          y[e] = tip[tile + e];
        }
        for (int v = 0; v < NV; v++) {
          toSize[v] = lengthOf(y, v);
        }
        for (int e = 0; e < TILE_VECTORS; e++) {
          y[e] = (VEC)(h) * k[tile + e];
        }
        for (int v = NV - 1; v >= 0; v--) {
          speed[v] = lengthOf(y, v);
          IVEC wrong = (IVEC)(0);
          for (int c = 0; c < D; c++) {
            VEC a = k[tile + c * NV + v];
            wrong |= (a - a) != (VEC)(0);
          }
          int row = row0 + t * ROWS + v * VW;
          REAL own = firstLane(
              wrong & liveLanes(row0 + t * ROWS, v, n), row, n, NEGATIVE_INFINITY);
          bad = own > bad ? own : bad;
        }
        for (int e = 0; e < TILE_VECTORS; e++) {
          y[e] = (VEC)(0);
        }
        for (int m = 0; m < PLACES; m++) {
          for (int e = 0; e < TILE_VECTORS; e++) {
            y[e] = (VEC)(high[m]) * k[m * length + tile + e] + y[e];
          }
        }
        for (int v = 0; v < NV; v++) {
          VEC a = fromSize[v], b = toSize[v];
          IVEC live = liveLanes(row0 + t * ROWS, v, n);
          VEC moved = speed[v] / (a > (VEC)(SMALLEST) ? a : (VEC)(SMALLEST));
          moved = (live & (moved > (VEC)(fastest))) ? moved : (VEC)(fastest);
          fastest = maxLanes(moved);
          VEC ratio = lengthOf(y, v) / ((VEC)(law[8]) + (VEC)(law[9]) * (a > b ? a : b));
          IVEC sound = ((ratio - ratio) == (VEC)(0)) & ((b - b) == (VEC)(0));
          ratio = sound ? ratio : (VEC)(INFINITY);
          ratio = (live & (ratio > (VEC)(worst))) ? ratio : (VEC)(worst);
          worst = maxLanes(ratio);
        }
      }
      results[3 * block] = worst;
      results[3 * block + 1] = fastest;
      results[3 * block + 2] = bad;
    }
    if (kind == STORE) {
      for (int t = 0; t < tiles; t++) {
        size_t tile = at + t * TILE_VECTORS;
        int row = row0 + t * ROWS;
        if (op & OP_SLOPE) {
          storeTile(k + tile, row, n, slope0 + base);
        } else if (op & OP_SIDE) {
          storeTile(tip + tile, row, n, end + base);
        } else if (held) {
          storeTile(tip + tile, row, n, end + base);
          storeTile(k + tile, row, n, slope0 + base);
          storeTile(k + length + tile, row, n, slope1 + base);
          storeTile(k + 2 * length + tile, row, n, slope2 + base);
          storeTile(k + 3 * length + tile, row, n, slope3 + base);
          storeTile(k + 4 * length + tile, row, n, slope4 + base);
          storeTile(k + 5 * length + tile, row, n, slope5 + base);
          for (int e = 0; e < TILE_VECTORS; e++) {
            y[e] = tip[tile + e];
          }
          if (sphere) {
            retractTile(y);
          }
          copyTile(y, state + tile);
        }
        if (!(op & (OP_SLOPE | OP_SIDE)) && team[STEPS] > 0) {
          storeTile(state + tile, row, n, x + base);
        }
      }
    }
    if (!endsPhase(team, blocks)) {
      continue;
    }
    int then = SLOPE;
    if (kind != STORE) {
      team[SIDE_OF_KEYS] = 1 - team[SIDE_OF_KEYS];
    }
    if (kind == LOAD) {
      team[UNCOUNTED] = !order[4];
      team[STUCK] = order[5];
      team[REFUSED] = pace[3] != 0;
      team[LOST] = pace[3] == 2;
      pace[3] = 0;
      made[3] = NONE;
    } else if (kind == BEGIN) {
      team[STAGE] = team[KNOWN];
    } else if (kind == STORE) {
      then = OVER;
      int below = 0, first = NONE;
      for (int b = 0; b < blocks; b++) {
        if (counts[2 * b] > 0) {
          first = below == 0 ? counts[2 * b + 1] : min(first, counts[2 * b + 1]);
          below += counts[2 * b];
        }
      }
      made[0] = team[STEPS];
      made[1] = team[REJECTIONS];
      made[2] = team[REFUSED] ? (team[LOST] ? 2 : 1) : 0;
      made[4] = below;
      made[5] = first;
      made[6] = team[STUCK];
    } else if (op & OP_SLOPE) {
      then = STORE;
    } else if (stage < PLACES) {
      team[STAGE] = stage + 1;
    } else {
      REAL err = 0, moved = 0, bad = NEGATIVE_INFINITY;
      for (int b = 0; b < blocks; b++) {
        err = results[3 * b] > err ? results[3 * b] : err;
        moved = results[3 * b + 1] > moved ? results[3 * b + 1] : moved;
        bad = results[3 * b + 2] > bad ? results[3 * b + 2] : bad;
      }
      int attempt = !(op & OP_SIDE), atTheEdge = team[LOST];
      REAL growth = growthOf(err, pace[2], err <= 1, law);
      team[LOST] = err == INFINITY;
      held = attempt && err <= 1;
      team[HELD] = held;
      team[UNCOUNTED] = 1;
      if (held) {
        team[STUCK] = !atTheEdge ? team[STUCK] : moved < law[10] ? team[STUCK] + 1 : 0;
        growth = team[REFUSED] ? min((REAL)1, growth) : growth;
        pace[2] = max(err, law[7]);
        pace[3] = moved;
        team[REFUSED] = 0;
        team[KNOWN] = !sphere;
        team[AT_LAST] = !sphere;
        team[UNCOUNTED] = !sphere;
        clock[1] = clock[0];
        clock[0] = laterTime(clock[0], h);
        team[STEPS]++;
      } else if (attempt) {
        team[REFUSED] = 1;
        team[KNOWN] = 1;
        team[AT_LAST] = 0;
        team[REJECTIONS]++;
      }
      int badToken = team[LOST] && bad != NEGATIVE_INFINITY ? (int)-bad : NONE;
      made[3] = badToken;
      h = h * growth;
      pace[0] = h;
      pace[1] = 0;
      pace[4] = err;
      int going = attempt && badToken == NONE && team[STUCK] < law[11]
          && team[STEPS] + team[REJECTIONS] < order[1] && team[STEPS] < order[2]
          && clock[0] < reach && tellsApart(clock[0], h, least) && laterTime(clock[0], h) < before;
      then = going ? BEGIN : STORE;
    }
    nextPhase(team, then);
  }
}
