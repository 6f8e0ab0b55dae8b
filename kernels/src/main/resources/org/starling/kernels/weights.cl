/* From a row's off-diagonal maximum and sum, and its self score, to the factors of the field. */

typedef struct {
  REAL scale; /* of sums over j != i, accumulated relative to 2^maximum */
  REAL self;  /* w_ii */
} FACTORS;

/*
 * maximum: largest score over live j != i, -infinity if there is none; sum: sum over those of
 * 2^(score - maximum); self: score of i itself as a sum of two numbers, with `shift` to be added to
 * both (scores relative to self: self = 0, shift = the self score). live: number of live keys.
 * Softmax meets the self score in the log domain, so neither exponential can overflow.
 */
FACTORS factorsOf(int normalisation, REAL maximum, REAL sum, TWO self, TWO shift, int live) {
  FACTORS f;
  int alone = maximum == NEGATIVE_INFINITY;
  if (normalisation == UNNORMALISED) {
    int e = ilogb((REAL)live);
    REAL part = ldexp((REAL)1, e) / live;
    TWO s = twoSum(self.hi, shift.hi - e);
    s.lo += self.lo + shift.lo;
    f.self = part * exp2Two(s);
    if (alone) {
      f.scale = 0;
    } else {
      s = twoSum(maximum, shift.hi - e);
      s.lo += shift.lo;
      f.scale = part * exp2Two(s);
    }
    return f;
  }
  if (alone) {
    f.scale = 0;
    f.self = 1;
    return f;
  }
  TWO t = twoSum(self.hi, -maximum);
  t.lo += self.lo;
  if (t.hi <= 0) {
    REAL e = exp2Two(t);
    REAL z = sum + e;
    f.scale = 1 / z;
    f.self = e / z;
  } else {
    t.hi = -t.hi;
    t.lo = -t.lo;
    REAL e = exp2Two(t);
    REAL z = 1 + sum * e;
    f.scale = e / z;
    f.self = 1 / z;
  }
  return f;
}
