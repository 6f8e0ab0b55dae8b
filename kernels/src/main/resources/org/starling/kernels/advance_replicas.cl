/*
 * advance_replicas: whole Runge-Kutta steps of small replicas, many steps in a launch. A step to a state
 * that is not finite is not made, and is the last.
 *
 *   x        [R][n][D]    states, advanced in place
 *   previous [R][n][D]    with OP_KEEP the state from which the last step made began; else left alone
 *   field    [R][n][D]    with OP_SLOPE the first slope goes here, and no step is made
 *   order    [units][3]   replica, steps to make, and how scores are known to be within +-CALM_SCORE:
 *                         CALM_KNOWN, CALM_BY_NORMS (looked at before each slope), or not: 0
 *   size     [units][3]   the step size as a sum of two numbers; for CALM_BY_NORMS the largest |y_i| / |x_i|
 *   made     [units][4]   steps made, first token that became non-finite in the next one or -1, tokens
 *                         below range over all slopes, the first of them or -1
 *   motions  [units]      largest |h k_i|^2 / |x_i|^2 of the first slope of the last step made
 *   tableau  [2][STAGES + 1][STAGES]  coefficients a, then b; then what their rounding left
 *   watches, bounds        as in replica_watches.cl: a step to where one may hold is the last
 *   plan, scale, matrices  as in plan.cl, a slot per replica
 *
 * A unit is a replica of `order`. STAGED 0, for CPU devices: one work-item a unit, rows in the lanes
 * of vectors, everything in private memory: (3 + STAGES) NMAX D numbers and a panel of scores.
 * STAGED 1, for GPUs (VW 1): one work-group of ITEMS work-items a unit, rows dealt out in turn; the
 * tokens of the stage stand in local memory, NMAX D + ITEMS numbers. Untested on GPUs.
 * Defines: DOUBLE, VW, D, NMAX (tokens at most, a multiple of ITEMS VW), ITEMS, STAGES, PANEL, PACK,
 * STAGED 0|1, WATCHED 0|1.
 *
 * Deterministic: a replica's numbers depend on its own state, layer and step size only, and a row
 * under a causal mask on nothing behind its last key.
 */
__kernel void advance_replicas(
    __global REAL *x,
    __global REAL *previous,
    __global REAL *field,
    __global const int *order,
    __global const REAL *size,
    __global int *made,
    __global REAL *motions,
    __global const REAL *tableau,
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
  order += unit * 3;
  size_t replica = order[0];
  int steps = order[1];
  plan += replica * planStride;
  scale += replica * scaleStride;
  x += replica * n * D;
  previous += replica * n * D;
  field += replica * n * D;

  /* Coefficients times the step size, as sums of two numbers. */
  REAL high[(STAGES + 1) * STAGES], low[(STAGES + 1) * STAGES];
  for (int m = 0; m < (STAGES + 1) * STAGES; m++) {
    TWO p = addProduct((TWO)(0), tableau[m], size[unit * 3]);
    high[m] = p.hi;
    low[m] = p.lo + tableau[m] * size[unit * 3 + 1]
        + tableau[(STAGES + 1) * STAGES + m] * size[unit * 3];
  }

  VEC old[BLOCKS * D], before[BLOCKS * D], k[STAGES * BLOCKS * D];
  EACH_BLOCK(b) {
    EACH(c) {
      REAL lane[VW];
      for (int l = 0; l < VW; l++) {
        lane[l] = x[(size_t)min(BLOCK_ROW(b) + l, n - 1) * D + c];
      }
      old[b * D + c] = LOADV(lane);
      before[b * D + c] = old[b * D + c];
    }
  }
  int form = (op & OP_RAW) ? FORM_RAW : (int)plan[4];
  int sphere = plan[4] == FORM_SPHERE;
  /* Largest |score| over a largest |x|^2, and what a mask's slope adds. */
  REAL strength = 2 * size[unit * 3 + 2], bias = scale[0] * n;
  int below = 0, firstBelow = NONE, done = 0, found = 0;
  REAL bad = NEGATIVE_INFINITY, motion = 0;
  for (int step = 0; step < steps && bad == NEGATIVE_INFINITY && !found; step++) {
    for (int s = 0; s < STAGES; s++) {
      VEC norms = (VEC)(0);
      EACH_BLOCK(b) {
        VEC norm = (VEC)(0);
        EACH(c) {
          VEC y = stepped(old[b * D + c], high + s * STAGES, low + s * STAGES, s, k + b * D + c);
          STOREV(y, key + c * NMAX + BLOCK_ROW(b));
          norm = y * y + norm;
        }
        norms = norm > norms ? norm : norms;
      }
      int calm = order[2] == CALM_KNOWN;
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      REAL score = strength * largestOfItems(maxLanes(norms), shared, item) + bias;
      calm |= order[2] == CALM_BY_NORMS && score < CALM_SCORE;
      slopesOfRows(
          key, item, n, form, calm, plan, scale, matrices, k + s * BLOCKS * D, &below,
          &firstBelow);
#if STAGED
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      if (op & OP_SLOPE) {
        break;
      }
    }
    if (op & OP_SLOPE) {
      storeRows(field, k, n, item);
      break;
    }
    VEC fastest = (VEC)(0);
    EACH_BLOCK(b) {
      VEC y[D], square = (VEC)(0), speed = (VEC)(0);
      EACH(c) {
        y[c] = stepped(
            old[b * D + c], high + STAGES * STAGES, low + STAGES * STAGES, STAGES, k + b * D + c);
        square = old[b * D + c] * old[b * D + c] + square;
        VEC v = (VEC)(size[unit * 3]) * k[b * D + c];
        speed = v * v + speed;
      }
      speed = speed / square;
      fastest = speed > fastest ? speed : fastest;
      if (sphere) {
        retractLanes(y);
      }
      IVEC lost = (IVEC)(0);
      EACH(c) {
        lost |= (y[c] - y[c]) != (VEC)(0);
        k[b * D + c] = y[c];
      }
      if (ANY_LANE(lost) && bad == NEGATIVE_INFINITY) {
        INTR lanes[VW];
        STOREIV(lost, lanes);
        for (int l = VW - 1; l >= 0; l--) {
          bad = lanes[l] ? -(REAL)min(BLOCK_ROW(b) + l, n - 1) : bad;
        }
      }
    }
    bad = largestOfItems(bad, shared, item);
    if (bad == NEGATIVE_INFINITY) {
      done++;
      motion = maxLanes(fastest);
      EACH_BLOCK(b) {
        EACH(c) {
          before[b * D + c] = old[b * D + c];
          old[b * D + c] = k[b * D + c];
#if WATCHED
          STOREV(old[b * D + c], key + c * NMAX + BLOCK_ROW(b));
#endif
        }
      }
    }
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if WATCHED
    found = watchMayHold(
        bad == NEGATIVE_INFINITY, key, item, n, unit, done, watches, bounds, norm, level);
#if STAGED
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#endif
  }
  if (!(op & OP_SLOPE)) {
    storeRows(x, old, n, item);
    if ((op & OP_KEEP) && done > 0) {
      storeRows(previous, before, n, item);
    }
  }
  motion = largestOfItems(motion, shared, item);
  tokensOfItems(&below, &firstBelow, counts, item);
  if (item == 0) {
    made[unit * 4] = done;
    made[unit * 4 + 1] = bad == NEGATIVE_INFINITY ? NONE : (int)-bad;
    made[unit * 4 + 2] = below;
    made[unit * 4 + 3] = firstBelow;
    motions[unit] = motion;
  }
}
