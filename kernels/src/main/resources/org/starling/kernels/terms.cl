/*
 * Linear combinations of up to eight fields with coefficients per replica, joined after precision.cl.
 *
 * FIELDS declares k0 .. k7, `__global const real [R][n][d]`; entries from `terms` on are not read.
 * coefficients: pair [R][8], value + correction of the host's float64 number.
 * COMBINED(start, at, r) adds the terms to `start` in the order of the fields.
 */
#define FIELDS                                                                                  \
  __global const real *k0, __global const real *k1, __global const real *k2,                    \
      __global const real *k3, __global const real *k4, __global const real *k5,                \
      __global const real *k6, __global const real *k7, __global const pair *coefficients,      \
      int terms
#define FIELD_NAMES k0, k1, k2, k3, k4, k5, k6, k7, coefficients, terms
#define COMBINED(start, at, r) combined(start, at, r, FIELD_NAMES)

static pair with_term(pair sum, pair c, real k) {
  pair p = exact_product(c.x, k);
  p.y = fma(c.y, k, p.y);
  return add(sum, p);
}

static pair combined(pair sum, ulong at, ulong r, FIELDS) {
  __global const pair *c = coefficients + 8 * r;
  if (terms > 0) sum = with_term(sum, c[0], k0[at]);
  if (terms > 1) sum = with_term(sum, c[1], k1[at]);
  if (terms > 2) sum = with_term(sum, c[2], k2[at]);
  if (terms > 3) sum = with_term(sum, c[3], k3[at]);
  if (terms > 4) sum = with_term(sum, c[4], k4[at]);
  if (terms > 5) sum = with_term(sum, c[5], k5[at]);
  if (terms > 6) sum = with_term(sum, c[6], k6[at]);
  if (terms > 7) sum = with_term(sum, c[7], k7[at]);
  return sum;
}
