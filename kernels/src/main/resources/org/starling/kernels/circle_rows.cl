/*
 * circle_rows: attention output or velocity on the circle (d = 2) from moments of the keys, in
 * O(n K) instead of O(n^2).
 *
 *   x, low           [R][n][2]  positions, and corrections (MIXED; else any buffer, not read)
 *   out              [R][n][2]  field (op 0: u_i, op 1: velocity on the sphere); rows from `firstRow` on
 *   doubt            [R][n]     1 where a row's bound of its error is above what is allowed, else 0
 *   counts           [units]    rows in doubt
 *   moments, radii   as circle_prefix leaves them
 *
 * CAUSAL 1: row i sees keys 0 .. i. CAUSAL 0: the first `keys` rows are computed and see the first `keys`
 * keys. A unit is VW blocks of rows of one replica, a block a lane (units: ceil(ceil(keys / BLOCK) /
 * VW)); one work-item a unit, any work-group size, no local memory. Deterministic; with CAUSAL a
 * row depends on nothing behind it (powers beyond those it needs count exactly 0).
 *
 * With y = b e^{i phi} and z = r e^{i theta}, Jacobi and Anger's expansion and the multiplication
 * theorem of Bessel functions (Abramowitz, Stegun 9.1.41, 9.1.74 for I) give, with u = r^2 - 1,
 *
 *   e^{<y,z>} = sum_k e_k Re(e^{-i k phi} z^k) sum_p (b/2)^p / p! I_{k+p}(b) u^p,   e_0 = 1, e_k = 2,
 *
 * whose sum over keys needs sum_j u_j^p z_j^k alone. Its derivatives by b and phi give the sums of e^{<y,z>}
 * times the components of z along and across y. For S = c I the query is y = b0 x with b0 = |beta c|, so
 * that I_k(b0 |x|) comes from the same theorem with u of the row; else the row's own I_k(b) come from
 * the continued fraction of their ratios. Everything is relative to e^{b0} or e^b.
 *
 * Error of a sum over keys, relative to (number of keys) e^b: frequencies beyond K and powers beyond P as the
 * host's table says, 2.2 e^c c^{P+1} / (P+1)!, e^c <= 1 / (1 - c), with c = b |u| / 2 (|u| the largest so far, P the
 * least power that serves it), and the table's rounding. A row whose error over its denominator is above
 * what the table allows is left to series_pairs.
 */
#if CAUSAL
#define MOMENT(k, p, part)                                                    \
  (LOADV(moments + (size_t)(2 * ((k) * ORDERS + (p)) + (part)) * padded + block) \
      + sums[2 * ((k) * POWERS + (p)) + (part)])
#else
#define MOMENT(k, p, part) ((VEC)(total[2 * ((k) * ORDERS + (p)) + (part)]))
#endif

__kernel void circle_rows(
    __global const STATE *x,
    __global const STATE *low,
    __global STATE *out,
    __global uchar *doubt,
    __global int *counts,
    __global const double *table,
    __global const double *moments,
    __global const double *radii,
    int padded,
    int replica,
    int n,
    int keys,
    int firstRow,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  long block = (long)unit * VW;
  int terms = (int)table[T_TERMS] + 1;
  int heads = (int)table[T_HEADS];
  int softmax = table[T_NORMALISATION] == 0;
  size_t base = (size_t)replica * n;
  int inDoubt = 0;
#if CAUSAL
  VEC largest = LOADV(radii + block);
  VEC sums[2 * LIMIT * POWERS];
  for (int k = 0; k < terms; k++) {
#pragma unroll
    for (int p = 0; p < 2 * POWERS; p++) {
      sums[k * 2 * POWERS + p] = (VEC)(0);
    }
  }
#else
  int blocks = (keys + BLOCK - 1) / BLOCK;
  VEC largest = (VEC)(radii[blocks]);
  double total[2 * LIMIT * ORDERS];
  for (int k = 0; k < terms; k++) {
    for (int m = 2 * k * ORDERS; m < 2 * (k * ORDERS + POWERS); m++) {
      total[m] = moments[(size_t)m * padded + blocks];
    }
  }
#endif

  for (int t = 0; t < BLOCK; t++) {
    VEC re, im, live;
    tokens(x + 2 * base, low + 2 * base, block, t, keys, &re, &im, &live);
    VEC u = excess(re, im);
    VEC count = (VEC)(keys);
#if CAUSAL
    largest = largerOf(largest, fabs(u) * live);
    {
      double rows[VW];
      for (int l = 0; l < VW; l++) {
        rows[l] = (block + l) * BLOCK + t + 1;
      }
      count = LOADV(rows);
      VEC wr = live, wi = (VEC)(0);
      for (int k = 0; k < terms; k++) {
        VEC ar = wr, ai = wi;
#pragma unroll
        for (int p = 0; p < POWERS; p++) {
          sums[(k * POWERS + p) * 2] += ar;
          sums[(k * POWERS + p) * 2 + 1] += ai;
          ar *= u;
          ai *= u;
        }
        VEC next = fma(wr, re, -wi * im);
        wi = fma(wr, im, wi * re);
        wr = next;
      }
    }
#endif
    /* keep[p]: 1 where this row uses the power p. */
    VEC keep[POWERS];
    keep[0] = (VEC)(1);
#pragma unroll
    for (int p = 1; p < POWERS; p++) {
      keep[p] = largest > (VEC)(table[T_POWERS + p - 1]) ? (VEC)(1) : (VEC)(0);
    }
    VEC norm = sqrt(fma(re, re, im * im));
    VEC tx = -im / norm, ty = re / norm;
    VEC fx = (VEC)(0), fy = (VEC)(0), error = (VEC)(0), others = (VEC)(0);
    IVEC good = largest <= (VEC)(table[T_LARGEST_U]);
    for (int h = 0; h < heads; h++) {
      __global const double *head = table + T_HEAD + h * H_NUMBERS;
      int scalarS = head[H_S_SCALAR] != 0, scalarV = head[H_V_SCALAR] != 0;
      int along = !scalarS || !scalarV || op == 0;
      /* The query's direction (as long as the token for S = c I), b, and |x| where it is in the direction. */
      VEC qx, qy, b, strength, w, length;
      /* I_k at [k + 1], and I_{-1} = I_1 in front; each over |x|^k where it is in the direction. */
      VEC bessel[LIMIT + 1];
      if (scalarS) {
        double c = head[H_S_FACTOR];
        qx = c < 0 ? -re : re;
        qy = c < 0 ? -im : im;
        b = (VEC)(fabs(c));
        w = (VEC)(1) + u;
        length = norm;
        strength = b * norm;
        VEC g[POWERS];
        g[0] = (VEC)(1);
#pragma unroll
        for (int p = 1; p < POWERS; p++) {
          g[p] = g[p - 1] * u * (0.5 * fabs(c) / p);
        }
#pragma unroll
        for (int p = 1; p < POWERS; p++) {
          g[p] *= keep[p];
        }
        for (int k = 0; k < terms + POWERS; k++) {
          VEC v = (VEC)(head[H_BESSEL + k]);
#pragma unroll
          for (int p = 1; p < POWERS; p++) {
            v = fma(g[p], (VEC)(head[H_BESSEL + k + p]), v);
          }
          bessel[k + 1] = v;
        }
      } else {
        VEC yx = head[H_S] * re + head[H_S + 2] * im;
        VEC yy = head[H_S + 1] * re + head[H_S + 3] * im;
        b = sqrt(fma(yx, yx, yy * yy));
        IVEC none = b == (VEC)(0);
        qx = none ? (VEC)(1) : yx / b;
        qy = none ? (VEC)(0) : yy / b;
        w = (VEC)(1);
        length = (VEC)(1);
        strength = b;
        /* First I_k / (b I_{k-1}) from the continued fraction, begun with Amos's bound. */
        int top = terms + POWERS + 6;
        VEC ratio = 1 / ((top - 0.5) + sqrt(fma(b, b, (VEC)((top + 0.5) * (top + 0.5)))));
        VEC square = b * b;
        for (int k = top - 1; k > 0; k--) {
          ratio = 1 / fma(square, ratio, (VEC)(2.0 * k));
          if (k < terms + POWERS) {
            bessel[k + 1] = ratio;
          }
        }
        VEC product = (VEC)(1), sum = (VEC)(0);
        for (int k = 1; k < terms + POWERS; k++) {
          product *= b * bessel[k + 1];
          bessel[k + 1] = product;
          sum += product;
        }
        bessel[1] = 1 / fma(sum, (VEC)(2), (VEC)(1));
        for (int k = 1; k < terms + POWERS; k++) {
          bessel[k + 1] *= bessel[1];
        }
      }
      bessel[0] = w * bessel[2];
      /* Factors of the power p: of the weights; of the sums along and across the query. */
      VEC weightOf[POWERS], acrossOf[POWERS], g = (VEC)(1), step = w * b * 0.5;
#pragma unroll
      for (int p = 0; p < POWERS; p++) {
        acrossOf[p] = p == 0 ? (VEC)(0) : w * g * keep[p] / p;
        g = p == 0 ? g : g * step / p;
        weightOf[p] = 2 * g * keep[p];
      }
      /* The term k = 0 counts once, the others twice: half of it is taken away beforehand. */
      VEC z = (VEC)(0), across = (VEC)(0), alongs = (VEC)(0);
#pragma unroll
      for (int p = 0; p < POWERS; p++) {
        VEC half0 = (VEC)(-0.5) * MOMENT(0, p, 0);
        z = fma(weightOf[p] * bessel[p + 1], half0, z);
        VEC c = p == 0
            ? 2 * bessel[0]
            : 2 * p * acrossOf[p] * bessel[p + 1] + w * weightOf[p] * bessel[p + 2];
        alongs = fma(c, half0, alongs);
      }
      VEC pr = (VEC)(1), pi = (VEC)(0);
      for (int k = 0; k < terms; k++) {
        VEC before = bessel[k], after = w * bessel[k + 2];
#pragma unroll
        for (int p = 0; p < POWERS; p++) {
          VEC mr = MOMENT(k, p, 0), mi = MOMENT(k, p, 1);
          VEC real = fma(pr, mr, pi * mi);
          VEC imaginary = fma(pr, mi, -pi * mr);
          VEC i = bessel[k + p + 1];
          z = fma(weightOf[p] * i, real, z);
          VEC a = p == 0 ? before - after : (double)k * acrossOf[p] * i;
          across = fma(a, imaginary, across);
          if (along) {
            VEC c = p == 0
                ? before + after
                : (k + 2 * p) * acrossOf[p] * i + w * weightOf[p] * bessel[k + p + 2];
            alongs = fma(c, real, alongs);
          }
        }
        VEC next = fma(pr, qx, -pi * qy);
        pi = fma(pr, qy, pi * qx);
        pr = next;
      }
      across /= length;
      alongs /= length;
      /* Back to coordinates. */
      VEC scale = softmax ? 1 / z : exp(b - log(count));
      VEC value = (VEC)(head[H_V_FACTOR]);
      VEC ex = qx / length, ey = qy / length;
      VEC mx = alongs * ex - across * ey, my = alongs * ey + across * ex;
      VEC vx, vy;
      if (op == 0 || !scalarV) {
        vx = scalarV ? value * mx : head[H_V] * mx + head[H_V + 1] * my;
        vy = scalarV ? value * my : head[H_V + 2] * mx + head[H_V + 3] * my;
        if (op != 0) {
          VEC tangent = vx * tx + vy * ty;
          vx = tangent * tx;
          vy = tangent * ty;
        }
      } else {
        VEC tangent = across * (ex * ty * (VEC)(1) - ey * tx);
        if (along) {
          tangent += alongs * (ex * tx + ey * ty);
        }
        vx = value * tangent * tx;
        vy = value * tangent * ty;
      }
      fx += scale * vx;
      fy += scale * vy;
      /* What is owed. */
      VEC c = strength * 0.5 * largest, tail = c;
#pragma unroll
      for (int p = 1; p < POWERS; p++) {
        tail *= keep[p] > (VEC)(0) ? c / (p + 1) : (VEC)(1);
      }
      VEC one = table[T_TRUNCATION] + 2.2 * tail / (1 - c) + table[T_ROUNDING];
      VEC self = exp2Small((VEC)(LOG2E) * b * (qx * re + qy * im - 1));
      VEC rest = z - self;
      double bound = head[H_V_NORM];
      /* The sums' errors together, for a denominator off by its half at most. */
      good &= (z > 2 * count * one) & (c < (VEC)(1));
      error += 4 * bound * scale * count * one;
      others += bound * scale * (rest > (VEC)(0) ? rest : (VEC)(0));
    }
    VEC allowed = table[T_OWN] * sqrt(fx * fx + fy * fy) + table[T_OTHERS] * others;
    good &= error <= allowed;
    VEC doubtful = good ? (VEC)(0) : (VEC)(1);
    double lx[VW], ly[VW], ld[VW];
    STOREV(fx, lx);
    STOREV(fy, ly);
    STOREV(doubtful, ld);
    for (int l = 0; l < VW; l++) {
      long i = (block + l) * BLOCK + t;
      if (i < keys && i >= firstRow) {
        out[2 * (base + i)] = lx[l];
        out[2 * (base + i) + 1] = ly[l];
        doubt[base + i] = ld[l] != 0;
        inDoubt += ld[l] != 0;
      }
    }
  }
  counts[unit] = inDoubt;
}
