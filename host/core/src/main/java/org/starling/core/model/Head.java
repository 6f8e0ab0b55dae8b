package org.starling.core.model;

/**
 * One attention head.
 *
 * @param q query matrix Q, {@code [m][d]}
 * @param k key matrix K, {@code [m][d]}
 * @param v value matrix V, {@code [d][d]}
 */
public record Head(Weight q, Weight k, Weight v) {
  public Head {
    if (q.rows() != k.rows() || q.columns() != k.columns()) {
      throw new IllegalArgumentException(
          "Q is " + q.rows() + " x " + q.columns() + " but K is " + k.rows() + " x " + k.columns());
    }
    if (v.rows() != v.columns() || v.rows() != q.columns()) {
      throw new IllegalArgumentException(
          "V is " + v.rows() + " x " + v.columns() + " but tokens have d = " + q.columns());
    }
  }

  public int d() {
    return v.rows();
  }
}
