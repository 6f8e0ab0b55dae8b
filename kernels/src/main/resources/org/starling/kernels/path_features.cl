/*
 * Attentioned inputs: from the last layer to the first, the logits of one query at a time, their
 * softmax over the keys, and the weights of all ends of paths multiplied by it at once. Attention
 * matrices are never stored.
 *
 * Joined after real.cl. Further defines: TOKENS; HARDMAX 0|1.
 *
 *   x        REAL [count][TOKENS][width], width a multiple of VW and padded with zeros
 *   y        REAL [all heads][count][TOKENS][width]: W x of every head, first layer first
 *   heads    int [depth]
 *   weights  REAL [count][2][paths][TOKENS], scratch
 *   xi       REAL [..][paths][width]; that of the first example at xi_first
 *   query    the one query that is read, -1 for the mean over all
 * A unit is one example, a work-group of any size. Every sum is made by one item in one order.
 */
__kernel void path_features(
    __global const REAL *restrict x, __global const REAL *restrict y,
    __global const int *restrict heads, __global REAL *weights, __global REAL *restrict xi,
    const long xi_first, const int count, const int depth, const int paths, const int width,
    const int query, const REAL scale, const ulong first, const ulong end) {
  __local REAL logit[TOKENS];
  __local REAL weight[TOKENS];
  const ulong unit = first + get_group_id(0);
  const int me = (int)get_local_id(0);
  const int items = (int)get_local_size(0);
  /* A work-group has one unit, so that all of it leaves or none. */
  if (unit >= end) return;
  const long example = (long)unit;
  __global const REAL *own = x + example * TOKENS * width;
  __global REAL *pair = weights + example * 2 * paths * TOKENS;
  int head_end = 0;
  for (int l = 0; l < depth; l++) {
    head_end += heads[l];
  }
  int ends = 1;
  int side = 0;
  for (int l = depth - 1; l >= 0; l--) {
    const int last = l == depth - 1;
    const int from = last && query >= 0 ? query : 0;
    const int to = last && query >= 0 ? query + 1 : TOKENS;
    __global REAL *before = pair + (long)side * paths * TOKENS;
    __global REAL *after = pair + (long)(1 - side) * paths * TOKENS;
    head_end -= heads[l];
    for (int i = me; i < heads[l] * ends * TOKENS; i += items) {
      after[i] = (REAL)0;
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    for (int h = 0; h < heads[l]; h++) {
      __global const REAL *projected =
          y + ((long)(head_end + h) * count + example) * TOKENS * width;
      for (int t = from; t < to; t++) {
        for (int s = me; s < TOKENS; s += items) {
          VEC sum = (VEC)(0);
          for (int i = 0; i < width; i += VW) {
            sum = fma(LOADV(projected + (long)t * width + i), LOADV(own + (long)s * width + i), sum);
          }
          REAL lane[VW];
          STOREV(sum, lane);
          REAL all = lane[0];
          for (int k = 1; k < VW; k++) {
            all += lane[k];
          }
          logit[s] = all;
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        int largest = 0;
        for (int s = 1; s < TOKENS; s++) {
          largest = logit[s] > logit[largest] ? s : largest;
        }
        for (int s = me; s < TOKENS; s += items) {
#if HARDMAX
          weight[s] = s == largest ? (REAL)1 : (REAL)0;
#else
          weight[s] = exp(logit[s] - logit[largest]);
#endif
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        REAL total = (REAL)0;
        for (int s = 0; s < TOKENS; s++) {
          total += weight[s];
        }
        for (int i = me; i < ends * TOKENS; i += items) {
          const int e = i / TOKENS;
          const REAL v = last ? (REAL)1 / (REAL)(to - from) : before[e * TOKENS + t];
          after[(long)h * ends * TOKENS + i] += v * (weight[i % TOKENS] / total);
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      }
    }
    ends *= heads[l];
    side = 1 - side;
  }
  __global const REAL *v = pair + (long)side * paths * TOKENS;
  const int vectors = width / VW;
  for (int i = me; i < paths * vectors; i += items) {
    const int p = i / vectors;
    const int at = i % vectors * VW;
    VEC sum = (VEC)(0);
    for (int s = 0; s < TOKENS; s++) {
      sum = fma((VEC)(v[p * TOKENS + s]), LOADV(own + (long)s * width + at), sum);
    }
    STOREV(sum * (VEC)(scale), xi + xi_first + (example * paths + p) * width + at);
  }
}
