/*
 * Functions of the kernels that make whole steps of small replicas: how slopes are put together, how
 * the work-items of a replica find what they have in common. Defines: those of advance_replicas.cl.
 */
/* Flags of op; OP_RAW: slopes are the raw attention output. */
#define OP_SLOPE 1
#define OP_RAW 2
#define OP_KEEP 4
#define OP_SIDE 8
#define CALM_KNOWN 1
#define CALM_BY_NORMS 2

/* y / |y|, the norm and its inverse kept as pairs. A token of norm 0 becomes NaN. */
void retractLanes(VEC *y) {
#pragma OPENCL FP_CONTRACT OFF
  VEC hi = (VEC)(0), lo = (VEC)(0);
  EACH(c) {
    addProductLanes(&hi, &lo, y[c], y[c]);
  }
  VEC root = (VEC)(1) / sqrt(hi);
  VEC square = root * root;
  VEC squareLow = fma(root, root, -square);
  VEC one = hi * square;
  VEC oneLow = fma(hi, square, -one);
  VEC rest = ((((VEC)(1) - one) - oneLow) - lo * square) - hi * squareLow;
  VEC more = (VEC)((REAL)0.5) * root * rest;
  EACH(c) {
    VEC p = y[c] * root;
    y[c] = p + (fma(y[c], root, -p) + y[c] * more);
  }
}

/* |x| without overflow or underflow of squares; 0 for 0. */
VEC lengthLanes(const VEC *x) {
  VEC largest = (VEC)(0);
  EACH(c) {
    VEC size = fabs(x[c]);
    largest = size > largest ? size : largest;
  }
  VEC unit = largest > (VEC)(0) ? largest : (VEC)(1);
  VEC square = (VEC)(0);
  EACH(c) {
    VEC part = x[c] / unit;
    square = part * part + square;
  }
  return unit * sqrt(square);
}

/* start + sum over slopes of coefficient times slope; rounded once, at the end, but for its terms. */
VEC stepped(VEC start, const REAL *high, const REAL *low, int slopes, const VEC *k) {
  VEC hi = (VEC)(0), lo = (VEC)(0);
  for (int m = 0; m < slopes; m++) {
    VEC slope = k[m * BLOCKS * D];
    hi = (VEC)(high[m]) * slope + hi;
    lo = (VEC)(low[m]) * slope + lo;
  }
  return start + (hi + lo);
}

/* Writes a block of rows. */
void storeBlock(__global REAL *to, const VEC *from, int n, int row0) {
  EACH(c) {
    REAL lane[VW];
    STOREV(from[c], lane);
    for (int l = 0; l < VW && row0 + l < n; l++) {
      to[(size_t)(row0 + l) * D + c] = lane[l];
    }
  }
}

/* Writes this item's rows. */
void storeRows(__global REAL *to, const VEC *from, int n, int item) {
  EACH_BLOCK(b) {
    storeBlock(to, from + b * D, n, BLOCK_ROW(b));
  }
}

/* The largest over the items of a unit; a NaN counts for nothing. */
REAL largestOfItems(REAL own, KEYS REAL *shared, int item) {
#if STAGED
  shared[item] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < ITEMS; k++) {
    own = shared[k] > own ? shared[k] : own;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  return own;
}

/* Adds up what the items of a unit have counted. */
void tokensOfItems(int *below, int *firstBelow, KEYS int *counts, int item) {
#if STAGED
  counts[2 * item] = *below;
  counts[2 * item + 1] = *firstBelow;
  barrier(CLK_LOCAL_MEM_FENCE);
  *below = 0;
  for (int k = 0; k < ITEMS; k++) {
    if (counts[2 * k] > 0) {
      *firstBelow = *below == 0 ? counts[2 * k + 1] : min(*firstBelow, counts[2 * k + 1]);
      *below += counts[2 * k];
    }
  }
#endif
}
