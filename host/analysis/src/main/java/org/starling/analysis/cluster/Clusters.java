package org.starling.analysis.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A partition of tokens. Clusters are ordered by their lowest token.
 *
 * @param labels {@code [n]}: the number of each token's cluster, 0 .. count-1
 * @param count number of clusters
 */
public record Clusters(int[] labels, int count) {

  /**
   * From roots, {@code [n]}: two tokens are in one cluster where their roots are equal. Roots may
   * be any numbers in 0 .. n-1.
   */
  static Clusters ofRoots(int[] roots) {
    int n = roots.length;
    int[] number = new int[n];
    java.util.Arrays.fill(number, -1);
    int[] labels = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (number[roots[i]] < 0) {
        number[roots[i]] = count++;
      }
      labels[i] = number[roots[i]];
    }
    return new Clusters(labels, count);
  }

  /** Number of tokens in each cluster, {@code [count]}. */
  public int[] sizes() {
    int[] sizes = new int[count];
    for (int label : labels) {
      sizes[label]++;
    }
    return sizes;
  }

  /** Tokens of each cluster in ascending order. */
  public List<int[]> members() {
    int[] sizes = sizes();
    List<int[]> members = new ArrayList<>(count);
    for (int size : sizes) {
      members.add(new int[size]);
    }
    int[] filled = new int[count];
    for (int i = 0; i < labels.length; i++) {
      members.get(labels[i])[filled[labels[i]]++] = i;
    }
    return members;
  }

  /** Lowest token of each cluster, {@code [count]}. */
  public int[] representatives() {
    int[] first = new int[count];
    for (int i = labels.length - 1; i >= 0; i--) {
      first[labels[i]] = i;
    }
    return first;
  }
}
