package org.starling.contract;

import org.starling.core.model.Layer;

/**
 * One evaluation: tokens and a layer.
 *
 * @param x positions {@code [n][d]}
 */
record Scene(String name, int n, int d, double[] x, Layer layer) {
  @Override
  public String toString() {
    return name;
  }
}
