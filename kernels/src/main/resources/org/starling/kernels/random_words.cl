/*
 * random_words: the random words of a token, as noise.cl makes them, for the verifier to compare.
 *
 *   words  [pairs][4]  four for every two coordinates
 *
 * Units: one pair of coordinates. One work-item a unit, no local memory, deterministic.
 */
__kernel void random_words(__global uint *words, int key0, int key1, int step_low, int step_high,
                           int token, ulong first, ulong end) {
  ulong u = first + get_global_id(0);
  if (u >= end) return;
  vstore4(words_of((uint4)(key0, key1, step_low, step_high), token, (uint)u), u, words);
}
