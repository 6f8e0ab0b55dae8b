/*
 * adapt_replicas: whole steps of small replicas by an adaptive scheme whose last slope is that of the
 * new state; many attempts in a launch, every replica by its own error and at its own time.
 *
 *   x        [R][n][D]     states, advanced in place
 *   end      [R][n][D]     the new state of the last attempt, as it was before it was put back on the
 *                          sphere, where that attempt was accepted; with OP_SIDE after one step of
 *                          the given size whose error decides nothing (x and slopes stay)
 *   slope0.. [R][n][D]     slopes of that attempt, the last one in the place of slope 1; with OP_SLOPE
 *                          the slope at x in slope0 and nothing else
 *   order    [units][6]    replica, attempts and accepted steps at most, how scores are known to be
 *                          within +-CALM_SCORE, whether tokens below range count in the first slope,
 *                          stuck steps so far: accepted ones after an attempt whose error was not
 *                          finite, in a row, that moved no token by law[10] of its norm
 *   clock    [units][2]    bits of float64: the time; receives the time, and where the last step began
 *   pace     [units][5]    step size as a sum of two numbers, error memory, whether the last attempt was
 *                          rejected (2: as its error was not finite), and for CALM_BY_NORMS the largest |y_i| / |x_i|, for CALM_KNOWN the
 *                          largest step for which scores of stages are known; receives the next size,
 *                          (kept), error memory, largest |h k_i| / |x_i| of the first slope of the
 *                          last accepted step, error of the last attempt
 *   made     [units][7]    accepted, rejected; 1 if the last attempt was rejected, 2 if by a number that
 *                          is not finite; first token whose first slope is not finite, or -1; tokens
 *                          below range, the first of them or -1; stuck steps
 *   tableau  [2][STAGES + 1][STAGES - 1]  coefficients a over the places of slopes, then those of the
 *                          error; then what their rounding left
 *   law      [12]          safety, alpha, beta, largest growth, least growth after accepted and after
 *                          rejected attempts, factor where the error is not finite, least error that
 *                          is remembered, atol, rtol; part of a norm that is a motion, stuck steps that
 *                          end the attempts
 *   reach, before, least   bits of float64: a replica pauses at times from reach on, before a step to
 *                          before or beyond, and before a step below least
 *   watches, bounds        as in replica_watches.cl
 *   plan, scale, matrices  as in plan.cl, a slot per replica
 *
 * Times are float64 on every device: where there is none they are added in integers. Everything else
 * is as in advance_replicas.cl: units, memory ((1 + STAGES) NMAX D numbers), defines, determinism.
 */
#define PLACES (STAGES - 1)
#define PLACE(s) ((s) == PLACES ? 1 : (s))

__kernel void adapt_replicas(
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
    __global const int *watches,
    __global const REAL *bounds,
    __global const long *plan,
    __global const REAL *scale,
    __global const REAL *matrices,
    int planStride,
    int scaleStride,
    int n,
    int op,
    ulong firstUnit,
    ulong endUnit) {
#if STAGED
  __local REAL key[NMAX * D];
  __local REAL shared[ITEMS];
  __local int counts[2 * ITEMS];
#if WATCHED
  __local REAL norm[NMAX];
  __local int level[NMAX];
#endif
  int item = get_local_id(0);
  ulong unit = firstUnit + get_group_id(0);
#else
  REAL key[NMAX * D];
  REAL shared[1];
  int counts[1];
#if WATCHED
  REAL norm[NMAX];
  int level[NMAX];
#endif
  int item = 0;
  ulong unit = firstUnit + get_global_id(0);
#endif
  if (unit >= endUnit) {
    return;
  }
  order += unit * 6;
  clock += unit * 2;
  pace += unit * 5;
  made += unit * 7;
  size_t replica = order[0];
  plan += replica * planStride;
  scale += replica * scaleStride;
  size_t at = replica * n * D;
  x += at;
  end += at;

  VEC old[BLOCKS * D], k[PLACES * BLOCKS * D];
  EACH_BLOCK(b) {
    EACH(c) {
      REAL lane[VW];
      for (int l = 0; l < VW; l++) {
        lane[l] = x[(size_t)min(BLOCK_ROW(b) + l, n - 1) * D + c];
      }
      old[b * D + c] = LOADV(lane);
    }
  }
  for (int m = 0; m < PLACES * BLOCKS * D; m++) {
    k[m] = (VEC)(0);
  }
  int form = (op & OP_RAW) ? FORM_RAW : (int)plan[4];
  int sphere = plan[4] == FORM_SPHERE;
  ulong time = clock[0], previous = clock[1];
  REAL h = pace[0], hLow = pace[1], memory = pace[2], strength = pace[4];
  int refused = pace[3] != 0;
  REAL bias = scale[0] * n;
  int below = 0, firstBelow = NONE, counting = order[4];
  int steps = 0, rejections = 0, held = 0, lost = pace[3] == 2, stuck = order[5], badToken = NONE;
  /* Where the slope at the state stands: nowhere, in place 0, in place 1 */
  int known = 0, atLast = 0, going = 1;
  REAL motion = 0, err = 0;
#if STAGED
  /* What an item has read here another one overwrites at the end. */
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
  while (going) {
    /* Coefficients times the step size, as sums of two numbers. */
    REAL high[(STAGES + 1) * PLACES], low[(STAGES + 1) * PLACES];
    for (int m = 0; m < (STAGES + 1) * PLACES; m++) {
      TWO p = addProduct((TWO)(0), tableau[m], h);
      high[m] = p.hi;
      low[m] = p.lo + tableau[m] * hLow + tableau[(STAGES + 1) * PLACES + m] * h;
    }
    if (atLast) {
      for (int m = 0; m < BLOCKS * D; m++) {
        k[m] = k[BLOCKS * D + m];
      }
      known = 1;
      atLast = 0;
    }
    int slopes = (op & OP_SLOPE) ? 1 : STAGES;
    for (int s = known; s < slopes; s++) {
      VEC norms = (VEC)(0);
      EACH_BLOCK(b) {
        VEC square = (VEC)(0);
        EACH(c) {
          VEC y = stepped(
              old[b * D + c], high + s * PLACES, low + s * PLACES, min(s, PLACES), k + b * D + c);
          STOREV(y, key + c * NMAX + BLOCK_ROW(b));
          square = y * y + square;
        }
        norms = square > norms ? square : norms;
      }
      /* The slope at a state must not depend on the step that follows. */
      int calm = order[3] == CALM_KNOWN && (s == 0 || h <= strength);
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      REAL score = 2 * strength * largestOfItems(maxLanes(norms), shared, item) + bias;
      calm |= order[3] == CALM_BY_NORMS && score < CALM_SCORE;
      int more = 0, firstOfMore = NONE;
      slopesOfRows(
          key, item, n, form, calm, plan, scale, matrices, k + PLACE(s) * BLOCKS * D, &more,
          &firstOfMore);
      if (more > 0 && (s > 0 || counting)) {
        firstBelow = below == 0 ? firstOfMore : min(firstBelow, firstOfMore);
        below += more;
      }
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    VEC worst = (VEC)(0), fastest = (VEC)(0);
    EACH_BLOCK(b) {
      VEC y[D], e[D], v[D];
      EACH(c) {
        y[c] = LOADV(key + c * NMAX + BLOCK_ROW(b));
        e[c] = stepped(
            (VEC)(0), high + STAGES * PLACES, low + STAGES * PLACES, PLACES, k + b * D + c);
        v[c] = (VEC)(h) * k[b * D + c];
      }
      VEC from = lengthLanes(old + b * D), to = lengthLanes(y);
      VEC size = from > to ? from : to;
      VEC speed = lengthLanes(v) / (from > (VEC)(SMALLEST) ? from : (VEC)(SMALLEST));
      fastest = speed > fastest ? speed : fastest;
      VEC ratio = lengthLanes(e) / ((VEC)(law[8]) + (VEC)(law[9]) * size);
      IVEC sound = ((ratio - ratio) == (VEC)(0)) & ((to - to) == (VEC)(0));
      ratio = sound ? ratio : (VEC)(INFINITY);
      worst = ratio > worst ? ratio : worst;
    }
    err = largestOfItems(maxLanes(worst), shared, item);
    int attempt = !(op & (OP_SLOPE | OP_SIDE));
    counting = 0;
    REAL growth = growthOf(err, memory, err <= 1, law);
    int atTheEdge = lost;
    lost = err == INFINITY;
    held = attempt && err <= 1;
    REAL moved = largestOfItems(maxLanes(fastest), shared, item);
    if (held) {
      stuck = !atTheEdge ? stuck : moved < law[10] ? stuck + 1 : 0;
      growth = refused ? min((REAL)1, growth) : growth;
      memory = max(err, law[7]);
      motion = moved;
      refused = 0;
      known = 0;
      atLast = !sphere;
      counting = sphere;
      previous = time;
      time = laterTime(time, h);
      steps++;
      EACH_BLOCK(b) {
        VEC y[D];
        EACH(c) {
          y[c] = LOADV(key + c * NMAX + BLOCK_ROW(b));
        }
#if WATCHED
        /* The tokens take the place of the stage. */
        storeBlock(end, y, n, BLOCK_ROW(b));
#endif
        if (sphere) {
          retractLanes(y);
        }
        EACH(c) {
          old[b * D + c] = y[c];
#if WATCHED
          STOREV(y[c], key + c * NMAX + BLOCK_ROW(b));
#endif
        }
      }
    } else if (attempt) {
      refused = 1;
      known = 1;
      atLast = 0;
      rejections++;
    }
    REAL bad = NEGATIVE_INFINITY;
    if (lost) {
      EACH_BLOCK(b) {
        IVEC wrong = (IVEC)(0);
        EACH(c) {
          wrong |= (k[b * D + c] - k[b * D + c]) != (VEC)(0);
        }
        if (ANY_LANE(wrong) && bad == NEGATIVE_INFINITY) {
          INTR lanes[VW];
          STOREIV(wrong, lanes);
          for (int l = VW - 1; l >= 0; l--) {
            bad = lanes[l] ? -(REAL)min(BLOCK_ROW(b) + l, n - 1) : bad;
          }
        }
      }
    }
    bad = largestOfItems(bad, shared, item);
    badToken = bad == NEGATIVE_INFINITY ? NONE : (int)-bad;
    h = h * growth;
    hLow = 0;
    going = attempt && badToken == NONE && stuck < law[11] && steps + rejections < order[1] && steps < order[2]
        && time < reach && tellsApart(time, h, least) && laterTime(time, h) < before;
#if WATCHED
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (watchMayHold(
            held && going, key, item, n, unit, steps, watches, bounds, norm, level)) {
      going = 0;
    }
#endif
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (op & OP_SLOPE) {
    storeRows(slope0 + at, k, n, item);
  } else if (!(op & OP_SIDE)) {
    storeRows(x, old, n, item);
    if (held) {
      storeRows(slope0 + at, k, n, item);
      storeRows(slope1 + at, k + BLOCKS * D, n, item);
      storeRows(slope2 + at, k + 2 * BLOCKS * D, n, item);
      storeRows(slope3 + at, k + 3 * BLOCKS * D, n, item);
      storeRows(slope4 + at, k + 4 * BLOCKS * D, n, item);
      storeRows(slope5 + at, k + 5 * BLOCKS * D, n, item);
    }
  }
#if WATCHED
  int unsaved = op & OP_SIDE;
#else
  int unsaved = held || (op & OP_SIDE);
#endif
  if (unsaved) {
    EACH_BLOCK(b) {
      VEC y[D];
      EACH(c) {
        y[c] = LOADV(key + c * NMAX + BLOCK_ROW(b));
      }
      storeBlock(end, y, n, BLOCK_ROW(b));
    }
  }
  tokensOfItems(&below, &firstBelow, counts, item);
  if (item == 0) {
    clock[0] = time;
    clock[1] = previous;
    pace[0] = h;
    pace[2] = memory;
    pace[3] = motion;
    pace[4] = err;
    made[0] = steps;
    made[1] = rejections;
    made[2] = refused ? (lost ? 2 : 1) : 0;
    made[3] = badToken;
    made[4] = below;
    made[5] = firstBelow;
    made[6] = stuck;
  }
}
