/*
 * Compensated arithmetic on LANES numbers at a time, joined after precision.cl. Elementwise: a number
 * does not depend on the lane it is computed in, nor on LANES.
 *
 * Define: LANES 1, 8 or 16 (1 where neighbouring work-items take neighbouring numbers).
 */
#ifndef LANES
#define LANES 1
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if LANES == 1
typedef real VEC;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
#ifdef PRECISION_DOUBLE
typedef JOIN(double, LANES) VEC;
#else
typedef JOIN(float, LANES) VEC;
#endif
#define LOAD(p) JOIN(vload, LANES)(0, p)
#define STORE(v, p) JOIN(vstore, LANES)(v, 0, p)
#endif

/* A pair in every lane. */
typedef struct {
  VEC x;
  VEC y;
} pairs;

static pairs add_lanes(pairs a, pairs b) {
  VEC s = a.x + b.x;
  VEC t = s - a.x;
  VEC e = (a.x - (s - t)) + (b.x - t);
  e += a.y + b.y;
  pairs r;
  r.x = s + e;
  r.y = e - (r.x - s);
  return r;
}

static pairs multiply_lanes(pairs a, pairs b) {
  VEC p = a.x * b.x;
  VEC e = fma(a.x, b.x, -p) + fma(a.x, b.y, a.y * b.x);
  pairs r;
  r.x = p + e;
  r.y = e - (r.x - p);
  return r;
}

static pairs no_pairs() {
  pairs r;
  r.x = (VEC)(0);
  r.y = (VEC)(0);
  return r;
}

/* Sum of the lanes, in their order. */
static real sum_of_lanes(VEC v) {
  real lane[LANES];
  STORE(v, lane);
  real sum = lane[0];
  for (int l = 1; l < LANES; l++) {
    sum += lane[l];
  }
  return sum;
}

/* NaN if one of them is. */
static real largest_of_lanes(VEC v) {
  real lane[LANES];
  STORE(v, lane);
  real largest = lane[0];
  for (int l = 1; l < LANES; l++) {
    largest = larger(largest, lane[l]);
  }
  return largest;
}

/* c v, not normalised. */
static pairs scaled_lanes(pair c, VEC v) {
  pairs r;
  r.x = (VEC)(c.x) * v;
  r.y = fma((VEC)(c.y), v, fma((VEC)(c.x), v, -r.x));
  return r;
}

/* The first `count` numbers from p on; further lanes are 0. */
static VEC load_some(__global const real *p, int count) {
  if (count >= LANES) return LOAD(p);
  real lane[LANES];
  for (int l = 0; l < LANES; l++) {
    lane[l] = l < count ? p[l] : (real)0;
  }
  return LOAD(lane);
}

static void store_some(VEC v, __global real *p, int count) {
  if (count >= LANES) {
    STORE(v, p);
    return;
  }
  real lane[LANES];
  STORE(v, lane);
  for (int l = 0; l < count; l++) {
    p[l] = lane[l];
  }
}

#ifdef PRECISION_MIXED
#define LOAD_LOW(name, at, count) load_some(name##_low + (at), count)
#define STORE_LOW(v, name, at, count) store_some(v, name##_low + (at), count)
#else
#define LOAD_LOW(name, at, count) ((VEC)(0))
#define STORE_LOW(v, name, at, count)
#endif
