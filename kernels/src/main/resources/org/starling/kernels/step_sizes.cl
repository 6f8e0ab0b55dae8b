/*
 * Times and step sizes of the kernels that choose their steps: float64 times on every device, added in
 * integers where it has none; and the law of step sizes, see adapt_replicas.cl. Define: DOUBLE.
 */
#if DOUBLE
#define SMALLEST_STEP 0x1p-1000
ulong laterTime(ulong t, REAL h) { return as_ulong(as_double(t) + h); }
ulong timeBits(REAL h) { return as_ulong(h); }
#else
#define SMALLEST_STEP 0x1p-126f
/* Bits of a normal float32 number > 0 as a float64. */
ulong timeBits(REAL h) { return ((ulong)as_uint(h) << 29) + ((ulong)(1023 - 127) << 52); }

/* The sum t + h of float64 numbers t >= 0 and h > 0, rounded to nearest, ties to even. */
ulong laterTime(ulong t, REAL h) {
  ulong b = timeBits(h);
  ulong large = max(t, b), small = min(t, b);
  if (small == 0) {
    return large;
  }
  ulong hidden = (ulong)1 << 52;
  ulong exponent = large >> 52, shift = min(exponent - (small >> 52), (ulong)60);
  ulong m = ((large & (hidden - 1)) | hidden) << 3;
  ulong s = ((small & (hidden - 1)) | hidden) << 3;
  m += (s >> shift) | (ulong)((s & (((ulong)1 << shift) - 1)) != 0);
  if (m >> 56) {
    m = (m >> 1) | (m & 1);
    exponent++;
  }
  ulong rest = m & 7;
  m >>= 3;
  m += rest > 4 || (rest == 4 && (m & 1));
  return (exponent << 52) + (m - hidden);
}
#endif

/* Whether a step of size h is at least `least`, and 16 units in the last place of t. */
int tellsApart(ulong t, REAL h, ulong least) {
  ulong exponent = t >> 52;
  ulong ulps = exponent > 52 ? (exponent - 52 + 4) << 52 : 0;
  return h >= SMALLEST_STEP && timeBits(h) >= max(least, ulps);
}

/* What an accepted or a rejected attempt's error makes of the next step. */
REAL growthOf(REAL err, REAL memory, int accepted, __global const REAL *law) {
  if (err == INFINITY) {
    return law[6];
  }
  REAL power = -law[1] * log2(err) + (accepted ? law[2] * log2(memory) : 0);
  REAL factor = law[0] * exp2(power);
  return accepted ? max(law[4], min(law[3], factor)) : max(law[5], factor);
}
