/*
 * flatten: every token's root becomes its label; says whether any label changed.
 *
 *   parent  [R][padded]  parent[i] <= i, roots are their own parents
 *   label   [R][padded]  old labels on entry, new ones after
 *   changed [1]          set to 1 if a label changed, else left alone
 *
 * A unit is one token of one replica (units: R n); one work-item a unit, any work-group size.
 * Deterministic. Defines: none of its own.
 */
__kernel void flatten(
    __global const int *parent,
    __global int *label,
    volatile __global int *changed,
    int n,
    int padded,
    ulong first,
    ulong end) {
  ulong unit = first + get_global_id(0);
  if (unit >= end) {
    return;
  }
  ulong replica = unit / n;
  size_t base = replica * padded;
  int i = (int)(unit - replica * n);
  int root = i;
  while (parent[base + root] != root) {
    root = parent[base + root];
  }
  if (label[base + i] != root) {
    label[base + i] = root;
    atomic_max(changed, 1);
  }
}
