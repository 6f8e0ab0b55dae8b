/*
 * attend_tiles: sums over keys j != i of one head for tiles of rows, for GPUs and D > 8. Untested on
 * GPUs; tested on CPU devices.
 *
 *   x, y        [R][n][D]     positions; queries y_i = beta log2(e) S^T x_i (transform.cl)
 *   sums        [R][n][D]     sum over live j != i of 2^(s_ij - m_i) x_j; less x_i times the weights
 *                             for the rescaled geometry. HARDMAX: x of the best key, less x_i for
 *                             velocities of the sphere and the rescaled geometry
 *   state       [R][n][4]     m_i, sum of the weights, self score as a sum of two. HARDMAX: 0 or NaN
 *   plan, scale               as in attend_blocks.cl
 *
 * A unit is a tile of T rows of one slot (units: slots ceil(n / T)); one work-group of G * G items a
 * unit, T = M G. Local memory: (T (T + 1) + 3 KC T + 4 T) numbers; G = 8, M = 4, KC = 16: 10 KiB in float32.
 * Defines: DOUBLE, VW 1, D, G, M (rows and keys of an item), KC (divides T), TILE 0 PRODUCT or 1
 * DIFFERENCE, HARDMAX 0|1 (needs DIFFERENCE). Scores, maximum and self term as in attend_blocks.cl, panels of T keys. Every loop body
 * with a barrier ends with one. Deterministic.
 */
#define DIFFERENCE 1
#define T (M * G)
#define ITEMS (G * G)

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void attend_tiles(
    __global const REAL *x,
    __global const REAL *y,
    __global REAL *sums,
    __global REAL *state,
    __global const long *plan,
    __global const REAL *scale,
    int planStride,
    int scaleStride,
    int n,
    int h,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  __local REAL s[T * (T + 1)];
  __local REAL stage[3 * KC * T];
  __local REAL maximum[T], sum[T], rescale[T];
#if HARDMAX
  __local int chosen[T];
#endif
  ulong unit = firstUnit + get_group_id(0);
  if (unit >= endUnit) {
    return;
  }
  /* All items of a group leave or stay together: the unit decides. */
  int item = get_local_id(0);
  int ty = item / G, tx = item - ty * G;
  int blocks = (n + T - 1) / T;
  ulong slot = unit / blocks;
  int row0 = zigzag((int)(unit - slot * blocks), blocks) * T;
  plan += slot * planStride;
  if (h >= (int)plan[6]) {
    return;
  }
  size_t base = (size_t)plan[0] * n;
  x += base * D;
  y += base * D;
  sums += base * D;
  state += base * 4;
  MASK mask;
  readMask(plan, n, &mask);
  int form = op ? (int)plan[4] : FORM_RAW;
  REAL slope = scale[slot * scaleStride];
  int top = min(row0 + T, n) - 1;
  int firstAll = firstKey(mask, row0), lastAll = lastKey(mask, top);
  for (int r = item; r < T; r += ITEMS) {
    maximum[r] = NEGATIVE_INFINITY;
    sum[r] = 0;
#if HARDMAX
    chosen[r] = NONE;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int panel = firstAll / T * T; panel <= lastAll; panel += T) {
    REAL score[M * M];
    for (int e = 0; e < M * M; e++) {
      score[e] = 0;
    }
    for (int c0 = 0; c0 < D; c0 += KC) {
      __local REAL *queries = stage, *keys = stage + KC * T, *own = stage + 2 * KC * T;
      for (int e = item; e < KC * T; e += ITEMS) {
        int r = e / KC, c = e - r * KC;
        int inside = c0 + c < D;
        int i = row0 + r, j = panel + r;
        queries[c * T + r] = inside && i < n ? y[(size_t)i * D + c0 + c] : (REAL)0;
        keys[c * T + r] = inside && j < n ? x[(size_t)j * D + c0 + c] : (REAL)0;
#if TILE == DIFFERENCE
        own[c * T + r] = inside && i < n ? x[(size_t)i * D + c0 + c] : (REAL)0;
#endif
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      REAL part[M * M];
      for (int e = 0; e < M * M; e++) {
        part[e] = 0;
      }
      for (int c = 0; c < KC; c++) {
        for (int a = 0; a < M; a++) {
          REAL w = queries[c * T + ty + a * G];
          for (int b = 0; b < M; b++) {
            REAL k = keys[c * T + tx + b * G];
#if TILE == DIFFERENCE
            k -= own[c * T + ty + a * G];
#endif
            part[a * M + b] += w * k;
          }
        }
      }
      for (int e = 0; e < M * M; e++) {
        score[e] += part[e];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int a = 0; a < M; a++) {
      int i = row0 + ty + a * G;
      for (int b = 0; b < M; b++) {
        int j = panel + tx + b * G;
        int live = i < n && j >= firstKey(mask, i) && j <= lastKey(mask, i) && (HARDMAX || j != i);
        s[(ty + a * G) * (T + 1) + tx + b * G] =
            live ? score[a * M + b] - slope * (i - j) : NEGATIVE_INFINITY;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = item; r < T; r += ITEMS) {
      __local REAL *row = s + r * (T + 1);
      REAL best = maximum[r];
#if HARDMAX
      for (int k = 0; k < T; k++) {
        if (row[k] > best || row[k] != row[k]) {
          best = row[k];
          chosen[r] = panel + k;
        }
      }
#else
      for (int k = 0; k < T; k++) {
        best = row[k] > best ? row[k] : best;
      }
      REAL zero = best == NEGATIVE_INFINITY ? (REAL)0 : best;
      REAL factor = exp2Small(maximum[r] - zero);
      REAL part = 0;
      for (int k = 0; k < T; k++) {
        REAL p = exp2Small(row[k] - zero);
        row[k] = p;
        part += p;
      }
      rescale[r] = factor;
      sum[r] = sum[r] * factor + part;
#endif
      maximum[r] = best;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if !HARDMAX
    for (int c0 = 0; c0 < D; c0 += T) {
      REAL part[M * M];
      for (int e = 0; e < M * M; e++) {
        part[e] = 0;
      }
      for (int k0 = 0; k0 < T; k0 += KC) {
        for (int e = item; e < KC * T; e += ITEMS) {
          int k = e / T, c = e - k * T;
          int j = panel + k0 + k;
          stage[e] = j < n && c0 + c < D ? x[(size_t)j * D + c0 + c] : (REAL)0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < KC; k++) {
          int j = panel + k0 + k;
          for (int a = 0; a < M; a++) {
            int i = row0 + ty + a * G;
            REAL p = s[(ty + a * G) * (T + 1) + k0 + k];
            /* Not a product with 0: a dead key may hold anything. */
            if (i < n && j >= firstKey(mask, i) && j <= lastKey(mask, i)) {
              for (int b = 0; b < M; b++) {
                part[a * M + b] += p * stage[k * T + tx + b * G];
              }
            }
          }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      for (int a = 0; a < M; a++) {
        int i = row0 + ty + a * G;
        for (int b = 0; b < M; b++) {
          int c = c0 + tx + b * G;
          if (i < n && c < D) {
            __global REAL *o = sums + (size_t)i * D + c;
            REAL before = panel == firstAll / T * T ? (REAL)0 : *o * rescale[ty + a * G];
            *o = before + part[a * M + b];
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }

  /* Same items, same entries as above: no barrier is needed before reading them again. */
  for (int c0 = 0; c0 < D; c0 += T) {
    for (int a = 0; a < M; a++) {
      int r = ty + a * G, i = row0 + r;
      for (int b = 0; b < M; b++) {
        int c = c0 + tx + b * G;
        if (i < n && c < D) {
          __global REAL *o = sums + (size_t)i * D + c;
          REAL token = x[(size_t)i * D + c];
#if HARDMAX
          int j = chosen[r];
          REAL value = j == NONE ? (REAL)0 : x[(size_t)j * D + c];
          *o = form == FORM_RAW ? value : value - token;
#else
          if (form == FORM_RESCALED) {
            *o = *o - sum[r] * token;
          }
#endif
        }
      }
    }
  }
  for (int r = item; r < T; r += ITEMS) {
    int i = row0 + r;
    if (i < n) {
      TWO self = (TWO)(0);
      for (int c = 0; c < D; c++) {
        self = addProduct(self, y[(size_t)i * D + c], x[(size_t)i * D + c]);
      }
      __global REAL *to = state + (size_t)i * 4;
#if HARDMAX
      to[0] = chosen[r] == NONE || maximum[r] != maximum[r] ? (REAL)NAN : (REAL)0;
#else
      to[0] = maximum[r];
#endif
      to[1] = sum[r];
      to[2] = self.hi;
      to[3] = self.lo;
    }
  }
}
