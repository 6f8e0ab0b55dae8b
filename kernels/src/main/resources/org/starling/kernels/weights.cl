/* From a row's off-diagonal maximum and sum, and its self score, to the factors of the field. */

/*
 * maximum: largest score over live j != i, -infinity if there is none; sum: sum over those of
 * 2^(score - maximum); self: score of i itself as a sum of two numbers, with `shift` to be added to
 * both (scores relative to self: self = 0, shift = the self score). live: number of live keys.
 * Gives scale, the factor of sums over j != i accumulated relative to 2^maximum, and w_ii.
 * Softmax meets the self score in the log domain, so neither exponential can overflow.
 */
void factorsOf(
    int normalisation,
    REAL maximum,
    REAL sum,
    TWO self,
    TWO shift,
    int live,
    REAL *scale,
    REAL *selfWeight) {
  int alone = maximum == NEGATIVE_INFINITY;
  if (normalisation == UNNORMALISED) {
    int e = ilogb((REAL)live);
    REAL part = ldexp((REAL)1, e) / live;
    TWO s = twoSum(self.hi, shift.hi - e);
    s.lo += self.lo + shift.lo;
    *selfWeight = part * exp2Two(s);
    if (alone) {
      *scale = 0;
    } else {
      s = twoSum(maximum, shift.hi - e);
      s.lo += shift.lo;
      *scale = part * exp2Two(s);
    }
    return;
  }
  if (alone) {
    *scale = 0;
    *selfWeight = 1;
    return;
  }
  TWO t = twoSum(self.hi, -maximum);
  t.lo += self.lo;
  if (t.hi <= 0) {
    REAL e = exp2Two(t);
    REAL z = sum + e;
    *scale = 1 / z;
    *selfWeight = e / z;
  } else {
    t.hi = -t.hi;
    t.lo = -t.lo;
    REAL e = exp2Two(t);
    REAL z = 1 + sum * e;
    *scale = e / z;
    *selfWeight = 1 / z;
  }
}
