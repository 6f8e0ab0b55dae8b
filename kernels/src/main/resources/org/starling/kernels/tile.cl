/*
 * Register tiles of MR = 6 rows by NR = 2 VW columns.
 *
 * Defines besides those of real.cl: D, coordinates of a token; BN, keys a panel.
 */
#define MR 6
#define NR (2 * VW)

#define EACH_ROW(do) do(0) do(1) do(2) do(3) do(4) do(5)
#define DECLARE_(r) VEC a##r = (VEC)(0), b##r = (VEC)(0);
#define MULTIPLY_(r)                                                               \
  {                                                                                \
    VEC w = (VEC)(q[r]);                                                           \
    a##r = w * u + a##r;                                                           \
    b##r = w * v + b##r;                                                           \
  }
#define DIFFER_(r)                                                                 \
  {                                                                                \
    VEC w = (VEC)(q[r]), x = (VEC)(q[MR + r]);                                     \
    a##r = w * (u - x) + a##r;                                                     \
    b##r = w * (v - x) + b##r;                                                     \
  }
#define DISTANCE_(r)                                                               \
  {                                                                                \
    VEC x = (VEC)(q[r]);                                                           \
    VEC du = u - x, dv = v - x;                                                    \
    a##r = du * du + a##r;                                                         \
    b##r = dv * dv + b##r;                                                         \
  }
#define STORE_(r)                                                                  \
  STOREV(a##r, s + r * BN);                                                        \
  STOREV(b##r, s + r * BN + VW);
#define ADD_(r)                                                                    \
  STOREV(LOADV(s + r * BN) + a##r, s + r * BN);                                    \
  STOREV(LOADV(s + r * BN + VW) + b##r, s + r * BN + VW);

#define SCORE_TILE(name, step, advance)                                            \
  void name(const REAL *q, __global const REAL *k, int length, REAL *s, int more) { \
    EACH_ROW(DECLARE_)                                                             \
    for (int c = 0; c < length; c++, q += advance, k += NR) {                      \
      VEC u = LOADV(k), v = LOADV(k + VW);                                         \
      EACH_ROW(step)                                                               \
    }                                                                              \
    if (more) {                                                                    \
      EACH_ROW(ADD_)                                                               \
    } else {                                                                       \
      EACH_ROW(STORE_)                                                             \
    }                                                                              \
  }

/*
 * s[r][0 .. NR-1] (row stride BN) = or += the sum over `length` coordinates c of
 *   scoreProduct:    q[c][r] k[c][.]
 *   scoreDifference: q[c][r] (k[c][.] - x[c][r]),  x interleaved: q[c][MR + r]
 *   scoreDistance:   (k[c][.] - q[c][r])^2
 * k[length][NR] are packed keys.
 */
SCORE_TILE(scoreProduct, MULTIPLY_, MR)
SCORE_TILE(scoreDifference, DIFFER_, 2 * MR)
SCORE_TILE(scoreDistance, DISTANCE_, MR)

#define PANEL_ROW_(r)                                                              \
  {                                                                                \
    VEC w = (VEC)(p[r * stride]);                                                  \
    a##r = w * u + a##r;                                                           \
    b##r = w * v + b##r;                                                           \
  }
#define PANEL_ADD_(r)                                                              \
  STOREV(LOADV(o + r * width) + a##r, o + r * width);                              \
  STOREV(LOADV(o + r * width + VW) + b##r, o + r * width + VW);

#define ADD_PANEL(name, SPACE)                                                     \
  void name(const REAL *p, int stride, SPACE const REAL *m, int length, REAL *o, int width) { \
    EACH_ROW(DECLARE_)                                                             \
    for (int j = 0; j < length; j++, p++, m += NR) {                               \
      VEC u = LOADV(m), v = LOADV(m + VW);                                         \
      EACH_ROW(PANEL_ROW_)                                                         \
    }                                                                              \
    EACH_ROW(PANEL_ADD_)                                                           \
  }

/*
 * o[r][0 .. NR-1] (row stride width) += sum over `length` rows j of p[r][j] m[j][.]; p has row stride
 * `stride`. The partial sum is formed apart and added once, so a long sum is a sum of short ones.
 */
ADD_PANEL(addPanel, __global)
ADD_PANEL(addPrivatePanel, __private)
