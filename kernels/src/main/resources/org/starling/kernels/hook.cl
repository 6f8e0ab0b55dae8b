/*
 * hook: hangs the root of each token's tree under the lowest label found next to the token.
 *
 *   label, lowest [R][padded]  as in link.cl; labels are roots: label[label[i]] = label[i] <= i
 *   parent        [R][padded]  a copy of label on entry
 *
 * A unit is one token of one replica (units: R n); one work-item a unit, any work-group size. The
 * minimum does not depend on the order: deterministic. Defines: none of its own.
 */
__kernel void hook(
    __global const int *label,
    __global const int *lowest,
    volatile __global int *parent,
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
  int low = lowest[base + i];
  int root = label[base + i];
  if (low < root) {
    atomic_min(parent + base + root, low);
  }
}
