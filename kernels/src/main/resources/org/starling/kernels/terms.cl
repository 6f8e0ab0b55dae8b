/*
 * Linear combinations of up to eight fields with coefficients per replica, joined after lanes.cl.
 *
 * FIELDS declares k0 .. k7, `__global const real [R][n][d]`; entries from `terms` on are not read.
 * A coefficient is a pair, value + correction of the host's float64 number: of all replicas in `shared`
 * where `uniform` is set, else coefficients [R][8].
 * COMBINED(start, at, count, c) adds the terms to `start`, in the order of the fields, for `count` numbers
 * (at most LANES) from `at` on; c are those of the replica.
 */
#ifdef PRECISION_DOUBLE
typedef double16 pairs_by_value;
#else
typedef float16 pairs_by_value;
#endif
#define FIELDS                                                                                  \
  __global const real *k0, __global const real *k1, __global const real *k2,                    \
      __global const real *k3, __global const real *k4, __global const real *k5,                \
      __global const real *k6, __global const real *k7, __global const pair *coefficients,      \
      pairs_by_value shared, int uniform, int terms
#define FIELD_NAMES k0, k1, k2, k3, k4, k5, k6, k7, coefficients, shared, uniform, terms
#define COMBINED(start, at, count, c) combined(start, at, count, c, FIELD_NAMES)

/* The eight coefficients of replica r. */
static void coefficients_of(pair *c, ulong r, __global const pair *coefficients,
                            pairs_by_value shared, int uniform) {
  vstore16(uniform ? shared : vload16(r, (__global const real *)coefficients), 0, (real *)c);
}

static pairs with_term(pairs sum, pair c, VEC k) { return add_lanes(sum, scaled_lanes(c, k)); }

static pairs combined(pairs sum, ulong at, int count, const pair *c, FIELDS) {
  if (terms > 0) sum = with_term(sum, c[0], load_some(k0 + at, count));
  if (terms > 1) sum = with_term(sum, c[1], load_some(k1 + at, count));
  if (terms > 2) sum = with_term(sum, c[2], load_some(k2 + at, count));
  if (terms > 3) sum = with_term(sum, c[3], load_some(k3 + at, count));
  if (terms > 4) sum = with_term(sum, c[4], load_some(k4 + at, count));
  if (terms > 5) sum = with_term(sum, c[5], load_some(k5 + at, count));
  if (terms > 6) sum = with_term(sum, c[6], load_some(k6 + at, count));
  if (terms > 7) sum = with_term(sum, c[7], load_some(k7 + at, count));
  return sum;
}
