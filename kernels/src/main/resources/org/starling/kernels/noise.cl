/*
 * noise: out_i = out_i + scale_r y_i for active replicas, y_i = xi_i - (<xi_i, x_i> / |x_i|^2) x_i if
 * tangent, else xi_i. xi_i are standard normal numbers, by the transform of Box and Muller (1958) of the
 * words of philox.cl; they depend on the replica's stream and step, the token and the coordinate alone.
 *
 * Two words make a uniform number (2k + 1) 2^-53 with a 52-bit k. What is small in it, its distance from
 * 0 and 1 or from a quarter turn, is taken in integers, so that the normal numbers are good to a few units
 * of `real` in both precisions.
 *
 * Shapes: out, x state [R][n][d] (two states); streams uint [R][8] = key, step (low word first), scale
 *   as the bits of a real (a double's low word first), two unused; active uchar [R].
 * Units: one token, R n of them. One work-item a unit, no local memory, deterministic.
 * Defines: PRECISION_*.
 */
#ifdef PRECISION_DOUBLE
#define HALF_PI 1.5707963267948966
#define UNIT 0x1p-53
#else
#define HALF_PI 1.57079633f
#define UNIT 0x1p-53f
#endif

static ulong odd_of(uint high, uint low) {
  return ((((ulong)(high >> 6)) << 26 | (low >> 6)) << 1) | 1;
}

/* ln u of u = m 2^-53, m odd. */
static real log_of(ulong m) {
  ulong rest = (1UL << 53) - m;
  return m < rest ? log((real)m * UNIT) : log1p(-(real)rest * UNIT);
}

/* Cosine and sine of 2 pi u: their series on an eighth of a turn, turned by quarters. */
static pair direction_of(ulong m) {
  ulong quarters = (m + (1UL << 50)) >> 51;
  real a = HALF_PI * ((real)((long)m - (long)(quarters << 51)) * ((real)4 * UNIT));
  real square = a * a;
  real s = 0;
  real c = 0;
#define TERM(k)                                                          \
  s = ((real)1 - s) * (square * ((real)1 / (real)((2 * k) * (2 * k + 1)))); \
  c = ((real)1 - c) * (square * ((real)1 / (real)((2 * k) * (2 * k - 1))))
  TERM(8);
  TERM(7);
  TERM(6);
  TERM(5);
  TERM(4);
  TERM(3);
  TERM(2);
  TERM(1);
  real sine = fma(-s, a, a);
  real cosine = (real)1 - c;
  int odd = quarters & 1;
  real x = odd ? -sine : cosine;
  real y = odd ? cosine : sine;
  return quarters & 2 ? (pair)(-x, -y) : (pair)(x, y);
}

/* Two normal numbers. */
static pair normal_of(uint4 words) {
  real radius = sqrt((real)-2 * log_of(odd_of(words.x, words.y)));
  return radius * direction_of(odd_of(words.z, words.w));
}

static pair plus(pair sum, real scale, real y) {
  return add(sum, exact_product(scale, y));
}

__kernel void noise(STATE(out), CONST_STATE(x), __global const uint *streams,
                    __global const uchar *active, int n, int d, int tangent, ulong first, ulong end) {
  ulong i = first + get_global_id(0);
  if (i >= end || !active[i / (ulong)n]) return;
  ulong r = i / (ulong)n;
  uint token = (uint)(i - r * (ulong)n);
  ulong at = i * (ulong)d;
  uint4 stream = vload4(2 * r, streams);
#ifdef PRECISION_DOUBLE
  real scale = as_double(((ulong)streams[8 * r + 5] << 32) | streams[8 * r + 4]);
#else
  real scale = as_float(streams[8 * r + 4]);
#endif
  real along = 0;
  if (tangent) {
    pair radial = (pair)(0, 0);
    pair square = (pair)(0, 0);
    for (int a = 0; a < d; a += 2) {
      pair xi = normal_of(words_of(stream, token, (uint)a >> 1));
      real v = x[at + a];
      radial = plus(radial, xi.x, v);
      square = plus(square, v, v);
      if (a + 1 < d) {
        v = x[at + a + 1];
        radial = plus(radial, xi.y, v);
        square = plus(square, v, v);
      }
    }
    along = radial.x / square.x;
  }
  for (int a = 0; a < d; a += 2) {
    pair xi = normal_of(words_of(stream, token, (uint)a >> 1));
    real y = tangent ? fma(-along, x[at + a], xi.x) : xi.x;
    WRITE(out, at + a, plus(READ(out, at + a), scale, y));
    if (a + 1 < d) {
      y = tangent ? fma(-along, x[at + a + 1], xi.y) : xi.y;
      WRITE(out, at + a + 1, plus(READ(out, at + a + 1), scale, y));
    }
  }
}
