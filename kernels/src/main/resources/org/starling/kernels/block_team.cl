/*
 * What the kernels that make whole steps of row blocks share: blocks dealt out to the work-items of a
 * replica, and its fields block by block. For CPU devices, of which each work-item is a thread.
 *
 * Several work-items serve a replica, in phases of one visit to each block. An item draws a ticket for
 * the next visit, and waits until the phase before is over. So whoever waits, waits for items that run
 * already: one that begins late, or never, holds up nobody, and it makes no difference to the numbers
 * which item a block falls to. The item that ends a phase settles what the next one is.
 *
 *   team [TEAM]  tickets drawn, visits ended, phases ended, each on a line of cache of its own; then the
 *                kind of the phase and what else its visitors need to know; 0 at first
 *
 * Fields are vectors [blocks][TILES][DP][NV], rows in the lanes; rows from n on hold anything.
 * Defines: those of block_rows.cl, with TILED 1; BM must be a multiple of KEYS.
 */
#define TICKETS 0
#define VISITS 32
#define PHASES 64
#define KIND 96
#define TEAM 128

/* Kinds of phases. */
#define LOAD 0
#define SLOPE 1
#define BEGIN 2
#define STORE 3
#define OVER 4

/* Flags of op; OP_RAW: slopes are the raw attention output. */
#define OP_SLOPE 1
#define OP_RAW 2
#define OP_KEEP 4
#define OP_SIDE 8

/* Vectors of a tile, and of a block. */
#define TILE_VECTORS (DP * NV)
#define BLOCK_VECTORS (TILES * TILE_VECTORS)

/* The next block, once its phase has begun. */
int nextBlock(volatile __global int *team, int blocks) {
  int ticket = atomic_inc(team + TICKETS);
  int phase = ticket / blocks;
  while (team[PHASES] < phase) {
  }
  /* Whatever follows is read after this. */
  atomic_add(team + PHASES, 0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return ticket - phase * blocks;
}

/* Whether this visit was the last one of its phase. */
int endsPhase(volatile __global int *team, int blocks) {
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return (atomic_inc(team + VISITS) + 1) % blocks == 0;
}

void nextPhase(volatile __global int *team, int kind) {
  team[KIND] = kind;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(team + PHASES);
}

/* Lanes of tokens before token n. */
IVEC liveLanes(int row0, int v, int n) { return (IVEC)(row0 + v * VW) + LANES < (IVEC)(n); }

/* A row of coefficients times the step size, as sums of two numbers; what their rounding left follows
 * `rest` numbers behind. */
void timesStep(
    __global const REAL *row, int rest, int count, REAL h, REAL hLow, REAL *high, REAL *low) {
  for (int m = 0; m < count; m++) {
    TWO p = addProduct((TWO)(0), row[m], h);
    high[m] = p.hi;
    low[m] = p.lo + row[m] * hLow + row[rest + m] * h;
  }
}

/* y = start + sum over slopes of coefficient times slope, of a tile; rounded once, at the end, but for
 * its terms. Slopes lie `field` vectors apart. */
void stepTile(
    __global const VEC *start, __global const VEC *slopes, size_t field, int count,
    const REAL *high, const REAL *low, VEC *y) {
  for (int e = 0; e < TILE_VECTORS; e++) {
    VEC hi = (VEC)(0), lo = (VEC)(0);
    for (int m = 0; m < count; m++) {
      VEC slope = slopes[m * field + e];
      hi = (VEC)(high[m]) * slope + hi;
      lo = (VEC)(low[m]) * slope + lo;
    }
    y[e] = start[e] + (hi + lo);
  }
}

/* y / |y|, the norm and its inverse kept as pairs. A token of norm 0 becomes NaN. */
void retractTile(VEC *y) {
#pragma OPENCL FP_CONTRACT OFF
  for (int v = 0; v < NV; v++) {
    VEC hi = (VEC)(0), lo = (VEC)(0);
    for (int c = 0; c < D; c++) {
      VEC a = y[c * NV + v];
      VEC p = a * a;
      VEC e = fma(a, a, -p);
      VEC s = hi + p;
      VEC t = s - hi;
      lo = lo + (((hi - (s - t)) + (p - t)) + e);
      hi = s;
    }
    VEC root = (VEC)(1) / sqrt(hi);
    VEC square = root * root;
    VEC squareLow = fma(root, root, -square);
    VEC one = hi * square;
    VEC oneLow = fma(hi, square, -one);
    VEC rest = ((((VEC)(1) - one) - oneLow) - lo * square) - hi * squareLow;
    VEC more = (VEC)((REAL)0.5) * root * rest;
    for (int c = 0; c < D; c++) {
      VEC p = y[c * NV + v] * root;
      y[c * NV + v] = p + (fma(y[c * NV + v], root, -p) + y[c * NV + v] * more);
    }
  }
}

/* Packs a tile of tokens as pack.cl does. */
void packTile(const VEC *y, int row0, int n, __global REAL *keys) {
  const REAL *from = (const REAL *)y;
  int groups = (n + KEYS - 1) / KEYS;
  for (int r = 0; r < ROWS && (row0 + r) / KEYS < groups; r += RUN) {
    __global REAL *to = keys + (size_t)((row0 + r) / KEYS) * (DP * KEYS) + (row0 + r) % KEYS;
    if (row0 + r + RUN <= n) {
      for (int c = 0; c < DP; c++) {
        for (int t = 0; t < RUN; t++) {
          to[c * KEYS + t] = from[c * ROWS + r + t];
        }
      }
    } else {
      for (int c = 0; c < DP; c++) {
        for (int t = 0; t < RUN; t++) {
          to[c * KEYS + t] = row0 + r + t < n ? from[c * ROWS + r + t] : (REAL)0;
        }
      }
    }
  }
}

/* A tile of tokens, 0 behind the last token and the last coordinate. */
void loadTile(__global const REAL *x, int row0, int n, VEC *y) {
  REAL *to = (REAL *)y;
  for (int c = 0; c < DP; c++) {
    for (int r = 0; r < ROWS; r++) {
      to[c * ROWS + r] = row0 + r < n && c < D ? x[(size_t)(row0 + r) * D + c] : (REAL)0;
    }
  }
}

void storeTile(__global const VEC *y, int row0, int n, __global REAL *x) {
  __global const REAL *from = (__global const REAL *)y;
  for (int r = 0; r < ROWS && row0 + r < n; r++) {
    for (int c = 0; c < D; c++) {
      x[(size_t)(row0 + r) * D + c] = from[c * ROWS + r];
    }
  }
}

void copyTile(const VEC *y, __global VEC *to) {
  for (int e = 0; e < TILE_VECTORS; e++) {
    to[e] = y[e];
  }
}

#define ANY_LANE(x) any(x)

/* The first token of a tile before n with a lane set, as -token; else `otherwise`. */
REAL firstLane(IVEC lanes, int row, int n, REAL otherwise) {
  if (ANY_LANE(lanes)) {
    INTR lane[VW];
    STOREIV(lanes, lane);
    for (int l = VW - 1; l >= 0; l--) {
      otherwise = lane[l] && row + l < n ? -(REAL)(row + l) : otherwise;
    }
  }
  return otherwise;
}
