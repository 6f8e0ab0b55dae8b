/*
 * sphere_rows: attention output or velocity on the sphere (d = 3) from moments of the keys, in
 * O(n L^2) instead of O(n^2).
 *
 *   x, low               [R][n][3]   positions, and corrections (MIXED; else any buffer, not read)
 *   out                  [R][n][3]   field (op 0: u_i, op 1: velocity on the sphere); rows from `firstRow` on
 *   doubt                [R][n]      1 where a row's bound of its error is above what is allowed, else 0
 *   counts               [units]     rows in doubt
 *   harmonics, moments               as sphere_prefix leaves them
 *   radii                [blocks + 1]   largest |u| before each block, then of all blocks
 *
 * causal 1: row i sees keys 0 .. i: those of the blocks before its own by the series, its own block's pair by pair.
 * causal 0: the first `keys` rows are computed and see the first `keys` keys. A unit is a block of rows of one
 * replica, from `firstBlock` on (units: blocks of the chunk; causal 0: all blocks); one work-item a unit,
 * any work-group size, no local memory. Deterministic; with causal 1 a row depends on nothing behind it.
 *
 * With y = b eta and z = r zeta (eta, zeta unit), u = r^2 - 1, modified spherical Bessel functions i_l and real
 * solid harmonics R_lm = r^l Y_lm, the plane wave's expansion and the multiplication theorem of Bessel
 * functions (Abramowitz, Stegun 10.2.36, 9.1.74 for i) give
 *
 *   e^{<y,z>} = 4 pi sum_l sum_m Y_lm(eta) R_lm(z) sum_p (b/2)^p / p! i_{l+p}(b) u^p,
 *
 * whose sum over keys needs sum_j u_j^p R_lm(z_j) alone. Its derivatives by eta and b give the sums of
 * e^{<y,z>} times the components of z across and along y. A row's own i_l(b) come from the continued
 * fraction of their ratios, downwards. Everything is relative to e^b.
 *
 * Error of a sum over keys, relative to (number of keys) e^b: degrees beyond L and rounding as the host's table says, and
 * of P powers 4 c^P / P! / (1 - c) with c = b |u| / 2 (|u| the largest of the keys). A row whose error
 * over its denominator is above what the table allows is left to series_pairs.
 */
#define PAIR_ROUNDING (16 * 0x1p-53)

/* A query as good as 0. */
#define SHORTEST 0x1p-300

__kernel void sphere_rows(
    __global const STATE *x,
    __global const STATE *low,
    __global STATE *out,
    __global uchar *doubt,
    __global int *counts,
    __global const double *table,
    __global const double *harmonics,
    __global const double *moments,
    __global const double *radii,
    int replica,
    int n,
    int keys,
    int firstRow,
    int firstBlock,
    int causal,
    int op,
    ulong firstUnit,
    ulong endUnit) {
  ulong unit = firstUnit + get_global_id(0);
  if (unit >= endUnit) {
    return;
  }
  long block = (long)unit + firstBlock;
  int degree = (int)table[T_TERMS];
  int heads = (int)table[T_HEADS];
  int softmax = table[T_NORMALISATION] == 0;
  size_t base = (size_t)replica * n;
  double at[3 * BLOCK];
  tokensOf(x + 3 * base, low + 3 * base, block, keys, at);
  double far = radii[causal ? block : (keys + BLOCK - 1) / BLOCK];
  int powers = 1;
  while (powers < ORDERS && far > table[T_POWERS + powers - 1]) {
    powers++;
  }
  int summed = causal ? (int)block * BLOCK : keys;
  int groups = summed == 0 ? 0 : (powers + TOGETHER - 1) / TOGETHER;
  moments += (causal ? unit : CHUNK) * blockNumbers(degree);
  int inDoubt = 0;
  for (int t = 0; t < BLOCK && block * BLOCK + t < keys; t += VW) {
    if (block * BLOCK + t + VW <= firstRow) {
      continue;
    }
    VEC rx = LOADV(at + t), ry = LOADV(at + BLOCK + t), rz = LOADV(at + 2 * BLOCK + t);
    VEC own = 1 + excess(rx, ry, rz);
    VEC live = (VEC)(keys);
    if (causal) {
      live = TO_VEC(LANES) + (double)(block * BLOCK + t + 1);
    }
    VEC fx = (VEC)(0), fy = (VEC)(0), fz = (VEC)(0), error = (VEC)(0), others = (VEC)(0);
    IVEC good = (IVEC)(far <= table[T_LARGEST_U] ? -1 : 0);
    for (int h = 0; h < heads; h++) {
      __global const double *head = table + T_HEAD + h * H_NUMBERS;
      int scalarS = head[H_S_SCALAR] != 0, scalarV = head[H_V_SCALAR] != 0;
      int along = !scalarS || !scalarV || op == 0;
      VEC yx, yy, yz;
      if (scalarS) {
        VEC c = (VEC)(head[H_S_FACTOR]);
        yx = c * rx;
        yy = c * ry;
        yz = c * rz;
      } else {
        yx = head[H_S] * rx + head[H_S + 3] * ry + head[H_S + 6] * rz;
        yy = head[H_S + 1] * rx + head[H_S + 4] * ry + head[H_S + 7] * rz;
        yz = head[H_S + 2] * rx + head[H_S + 5] * ry + head[H_S + 8] * rz;
      }
      VEC b = sqrt(fma(yx, yx, fma(yy, yy, yz * yz)));
      IVEC none = b < (VEC)(SHORTEST);
      b = none ? (VEC)(SHORTEST) : b;
      /* Without a query any direction does, the token's own for S = c I: nothing is summed along it. */
      VEC length = none ? sqrt(own) : b;
      VEC ex = (none ? rx : yx) / length, ey = (none ? ry : yy) / length;
      VEC ez = (none ? rz : yz) / length;
      VEC z = (VEC)(0), gx = (VEC)(0), gy = (VEC)(0), gz = (VEC)(0), alongs = (VEC)(0);
      if (groups > 0) {
        /* First the ratios i_l / (b i_{l-1}), begun with Amos's bound, then i_l by sum_l (2 l + 1) i_l = e^b. */
        VEC bessel[LIMIT];
        int count = degree + ORDERS + 2, top = count + 8;
        VEC ratio = 1 / (top + sqrt(fma(b, b, (VEC)((top + 1.0) * (top + 1.0)))));
        VEC square = b * b;
        for (int l = top - 1; l > 0; l--) {
          ratio = 1 / fma(square, ratio, (VEC)(2.0 * l + 1));
          if (l < count) {
            bessel[l] = ratio;
          }
        }
        VEC product = (VEC)(1), sum = (VEC)(1);
        for (int l = 1; l < count; l++) {
          product *= b * bessel[l];
          bessel[l] = product;
          sum = fma(product, (VEC)(2.0 * l + 1), sum);
        }
        bessel[0] = 1 / sum;
        for (int l = 1; l < count; l++) {
          bessel[l] *= bessel[0];
        }
        VEC factor = (VEC)(1);
        for (int g = 0; g < groups; g++) {
          /* Of each degree and power: the function of b, and its derivative. */
          VEC of[TOGETHER * LIMIT], by[TOGETHER * LIMIT];
#pragma unroll
          for (int k = 0; k < TOGETHER; k++) {
            int p = g * TOGETHER + k;
            for (int l = 0; l <= degree; l++) {
              VEC f = factor * bessel[l + p];
              of[TOGETHER * l + k] = f;
              by[TOGETHER * l + k] = fma(f, (2.0 * p + l) / b, factor * bessel[l + p + 1]);
            }
            factor *= b * (0.5 / (p + 1));
          }
          __global const double *from = moments + g * groupNumbers(degree);
          __global const double *step = harmonics;
          /* (eta_x + i eta_y)^m, and the power before it. */
          VEC c = (VEC)(1), s = (VEC)(0), c1 = (VEC)(0), s1 = (VEC)(0);
          for (int m = 0; m <= degree; m++) {
            VEC before = (VEC)(0), now = (VEC)(1), before1 = (VEC)(0), now1 = (VEC)(0);
            VEC sc = (VEC)(0), ss = (VEC)(0), dc = (VEC)(0), ds = (VEC)(0), ac = (VEC)(0), as = (VEC)(0);
            for (int l = m; l <= degree; l++) {
              VEC kc = (VEC)(0), ks = (VEC)(0);
#pragma unroll
              for (int k = 0; k < TOGETHER; k++) {
                VEC f = of[TOGETHER * l + k];
                kc = fma(f, (VEC)(from[2 * k]), kc);
                ks = fma(f, (VEC)(from[2 * k + 1]), ks);
              }
              sc = fma(now, kc, sc);
              ss = fma(now, ks, ss);
              dc = fma(now1, kc, dc);
              ds = fma(now1, ks, ds);
              if (along) {
                VEC bc = (VEC)(0), bs = (VEC)(0);
#pragma unroll
                for (int k = 0; k < TOGETHER; k++) {
                  VEC f = by[TOGETHER * l + k];
                  bc = fma(f, (VEC)(from[2 * k]), bc);
                  bs = fma(f, (VEC)(from[2 * k + 1]), bs);
                }
                ac = fma(now, bc, ac);
                as = fma(now, bs, as);
              }
              VEC next = fma(ez, now, -step[0] * before);
              VEC next1 = fma(ez, now1, fma((VEC)(-step[0]), before1, now));
              before = now;
              now = next;
              before1 = now1;
              now1 = next1;
              from += 2 * TOGETHER;
              step += 2;
            }
            z = fma(sc, c, fma(ss, s, z));
            gz = fma(dc, c, fma(ds, s, gz));
            gx = fma((VEC)(m), fma(sc, c1, ss * s1), gx);
            gy = fma((VEC)(m), fma(ss, c1, -sc * s1), gy);
            alongs = fma(ac, c, fma(as, s, alongs));
            c1 = c;
            s1 = s;
            c = fma(c1, ex, -s1 * ey);
            s = fma(c1, ey, s1 * ex);
          }
        }
      }
      /* Sums of weight times token: across the query, along it, and what the row's own block adds. */
      VEC radial = fma(gx, ex, fma(gy, ey, gz * ez));
      gx = fma(-radial, ex, gx) / b;
      gy = fma(-radial, ey, gy) / b;
      gz = fma(-radial, ez, gz) / b;
      if (along) {
        gx = fma(alongs, ex, gx);
        gy = fma(alongs, ey, gy);
        gz = fma(alongs, ez, gz);
      }
      VEC self = fma(yx, rx, fma(yy, ry, yz * rz)) - b;
      VEC selfWeight = exp2Small((VEC)(LOG2E) * self);
      VEC near = (VEC)(0);
      if (causal) {
        near = selfWeight;
        for (int j = 0; j < t + VW - 1; j++) {
          VEC dx = at[j] - rx, dy = at[BLOCK + j] - ry, dz = at[2 * BLOCK + j] - rz;
          VEC score = fma(yx, dx, fma(yy, dy, fma(yz, dz, self)));
          VEC w = exp2Small((VEC)(LOG2E) * score);
          if (j >= t) {
            IVEC before = LANES > (IVEC)((INTR)(j - t));
            w = before ? w : (VEC)(0);
            dx = before ? dx : (VEC)(0);
            dy = before ? dy : (VEC)(0);
            dz = before ? dz : (VEC)(0);
          }
          near += w;
          gx = fma(w, dx, gx);
          gy = fma(w, dy, gy);
          gz = fma(w, dz, gz);
        }
        z += near;
      }
      VEC scale = softmax ? 1 / z : exp(b - log(live));
      VEC vx, vy, vz;
      if (op == 0 || !scalarV) {
        gx = fma(near, rx, gx);
        gy = fma(near, ry, gy);
        gz = fma(near, rz, gz);
      }
      if (scalarV) {
        VEC value = (VEC)(head[H_V_FACTOR]);
        vx = value * gx;
        vy = value * gy;
        vz = value * gz;
      } else {
        vx = head[H_V] * gx + head[H_V + 1] * gy + head[H_V + 2] * gz;
        vy = head[H_V + 3] * gx + head[H_V + 4] * gy + head[H_V + 5] * gz;
        vz = head[H_V + 6] * gx + head[H_V + 7] * gy + head[H_V + 8] * gz;
      }
      if (op != 0) {
        VEC across = fma(vx, rx, fma(vy, ry, vz * rz)) / own;
        vx = fma(-across, rx, vx);
        vy = fma(-across, ry, vy);
        vz = fma(-across, rz, vz);
      }
      fx = fma(scale, vx, fx);
      fy = fma(scale, vy, fy);
      fz = fma(scale, vz, fz);
      /* What is owed. */
      VEC c = b * (0.5 * far), tail = (VEC)(1);
      for (int p = 1; p <= groups * TOGETHER; p++) {
        tail *= c / p;
      }
      VEC one = table[T_TRUNCATION] + table[T_ROUNDING] + 4 * tail / (1 - c);
      VEC rest = z - selfWeight;
      /* Of the row's own block only weights times differences are rounded, where nothing else is added. */
      VEC owed = PAIR_ROUNDING * (op == 0 || !scalarV ? near : near - selfWeight);
      if (groups > 0) {
        owed = fma(one, (VEC)(summed), owed);
      }
      double bound = head[H_V_NORM];
      /* The sums' errors together, for a denominator off by its half at most. */
      good &= (z > 2 * owed) & (z > (VEC)(SHORTEST)) & (c < (VEC)(1));
      error += 4 * bound * scale * owed;
      others += bound * scale * (rest > (VEC)(0) ? rest : (VEC)(0));
    }
    VEC speed = sqrt(fma(fx, fx, fma(fy, fy, fz * fz)));
    good &= error <= table[T_OWN] * speed + table[T_OTHERS] * others;
    /* What is below the state's range series_pairs counts; a token alone does not move. */
    good &= (speed >= (VEC)(SMALLEST_SPEED)) | (live == (VEC)(1));
    VEC doubtful = good ? (VEC)(0) : (VEC)(1);
    double lx[VW], ly[VW], lz[VW], ld[VW];
    STOREV(fx, lx);
    STOREV(fy, ly);
    STOREV(fz, lz);
    STOREV(doubtful, ld);
    for (int l = 0; l < VW; l++) {
      long i = block * BLOCK + t + l;
      if (i < keys && i >= firstRow) {
        out[3 * (base + i)] = lx[l];
        out[3 * (base + i) + 1] = ly[l];
        out[3 * (base + i) + 2] = lz[l];
        doubt[base + i] = ld[l] != 0;
        inDoubt += ld[l] != 0;
      }
    }
  }
  counts[unit] = inDoubt;
}
