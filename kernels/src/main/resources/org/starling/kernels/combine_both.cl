/*
 * combine_both: out_r = x_r + c_r k_r and also_r = y_r + e_r k_r for active replicas, each with the bits
 * that combine gives it, in one pass over k.
 *
 * Shapes: out, x, also, y state [R][n][d] (out may be x or y, also may be y, if not out); k [R][n][d];
 *   shared = (c, e, ..) for all replicas where `uniform` is set, else coefficients pair [R][8], likewise;
 *   active uchar [R]; size = n d.
 * Units and defines: as combine.
 */
__kernel void combine_both(STATE(out), CONST_STATE(x), STATE(also), CONST_STATE(y),
                           __global const real *k, __global const pair *coefficients,
                           pairs_by_value shared, int uniform, __global const uchar *active,
                           int replicas, ulong size, ulong first, ulong end) {
  ulong at = first + get_global_id(0) * CHUNK;
  ulong to = min(at + CHUNK, end);
  while (at < to) {
    ulong r = replicas == 1 ? 0 : at / size;
    ulong stop = min(to, (r + 1) * size);
    if (active[r]) {
      pair c[8];
      coefficients_of(c, r, coefficients, shared, uniform);
      for (; at < stop; at += LANES) {
        int count = (int)min((ulong)LANES, stop - at);
        VEC v = load_some(k + at, count);
        pairs one;
        one.x = load_some(x + at, count);
        one.y = LOAD_LOW(x, at, count);
        pairs other;
        other.x = load_some(y + at, count);
        other.y = LOAD_LOW(y, at, count);
        one = with_term(one, c[0], v);
        other = with_term(other, c[1], v);
        store_some(one.x, out + at, count);
        STORE_LOW(one.y, out, at, count);
        store_some(other.x, also + at, count);
        STORE_LOW(other.y, also, at, count);
      }
    }
    at = stop;
  }
}
