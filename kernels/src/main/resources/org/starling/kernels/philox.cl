/*
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), in integers alone: the same words on every device and
 * on the host.
 */
static uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; round++) {
    counter = (uint4)(mul_hi(0xCD9E8D57u, counter.z) ^ counter.y ^ key.x, 0xCD9E8D57u * counter.z,
                      mul_hi(0xD2511F53u, counter.x) ^ counter.w ^ key.y, 0xD2511F53u * counter.x);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

/* The words of coordinates 2 block and 2 block + 1 of a token; stream is key, low and high word of the step. */
static uint4 words_of(uint4 stream, uint token, uint block) {
  return philox((uint4)(block, token, stream.z, stream.w), stream.xy);
}
