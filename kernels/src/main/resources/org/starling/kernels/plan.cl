/*
 * What a kernel is told about a layer, one slot per active replica.
 *
 * plan[slot][PLAN_HEAD + 4 heads]: replica, window, causal, prefix, form, normalisation, heads, first keys
 *   that all rows see (attend_keyed.cl alone), then per head: kind of S, offset of S, kind of V, offset of V (kinds SCALAR, DENSE; offsets in numbers
 *   into `matrices`).
 * scale[slot][SCALE_HEAD + 3 heads]: alibi slope times log2 e, beta times log2 e, then per head: the factor of a
 *   scalar S (beta log2 e included; 1 where S is dense) and what its rounding left, the factor of a scalar V.
 * For D <= 8 a dense S is followed by what its rounding left, packed likewise.
 * Scores are in units of ln 2: all exponentials are powers of two.
 */
#define PLAN_HEAD 8
#define PLAN_PER_HEAD 4
#define SCALE_HEAD 2
#define SCALE_PER_HEAD 3
#define NONE -1
#define FORM_RAW 0
#define FORM_SPHERE 1
#define FORM_RESCALED 2
#define SOFTMAX 0
#define UNNORMALISED 1
#define SCALAR 0
#define DENSE 1

typedef struct {
  int n;
  int window;
  int causal;
  int prefix;
} MASK;

void readMask(__global const long *plan, int n, MASK *m) {
  m->n = n;
  m->window = (int)plan[1];
  m->causal = (int)plan[2];
  m->prefix = (int)plan[3];
}

/* The live keys of row i are firstKey .. lastKey; both never decrease with i. */
int firstKey(MASK m, int i) { return m.window == NONE ? 0 : max(0, i - m.window + 1); }

int lastKey(MASK m, int i) {
  int last = m.n - 1;
  if (m.causal) {
    last = i;
  } else if (m.prefix != NONE) {
    last = min(last, max(i, m.prefix - 1));
  }
  if (m.window != NONE && m.window - 1 < last - i) {
    last = i + m.window - 1;
  }
  return last;
}

/*
 * Adds tokens below range to the counts [R][blocks][2] of block `b` of a replica: how many, and the first
 * (meaningless while there are none). Each block is visited by one work-item of a launch.
 */
void countBelow(__global int *small, size_t replica, int blocks, int b, int below, int first) {
  if (below > 0) {
    __global int *at = small + (replica * blocks + b) * 2;
    at[1] = at[0] > 0 ? min(at[1], first) : first;
    at[0] += below;
  }
}

/* Blocks taken from both ends in turn, so that neighbours in a launch cost the same under a mask. */
int zigzag(int g, int blocks) { return (g & 1) ? blocks - 1 - (g >> 1) : g >> 1; }
