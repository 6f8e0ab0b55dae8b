package org.starling.cpu.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.engine.Judge;
import org.starling.core.model.Layer;

/** The reference engine's rows, and what straightforward float32 code makes of the same rows. */
public final class ReferenceJudge implements Judge {
  @Override
  public Rows velocity(double[] x, double[] keys, int n, int d, Layer layer, int[] rows) {
    AttentionField field = new AttentionField(x, keys, 0, n, d, layer);
    double[][] v = new double[rows.length][d];
    double[] logSpeed = new double[rows.length];
    double[] off = new double[rows.length];
    double[] self = new double[rows.length];
    double[] margin = new double[rows.length];
    IntStream.range(0, rows.length)
        .parallel()
        .forEach(
            k -> {
              AttentionField.Token token = field.velocity(rows[k]);
              token.value().writeTo(v[k], 0);
              logSpeed[k] = token.value().logNorm();
              off[k] = token.off();
              self[k] = token.self();
              margin[k] = token.margin();
            });
    double norm = 0;
    for (Layer.LayerHead head : layer.heads()) {
      norm = Math.max(norm, head.v().rowSumNorm());
    }
    return new Rows(v, logSpeed, off, self, norm, margin);
  }

  @Override
  public List<double[][]> yardstick(
      double[] x, double[] keys, int n, int d, Layer layer, int[] rows) {
    List<double[][]> orders = new ArrayList<>();
    for (boolean reversed : new boolean[] {false, true}) {
      RuledYardstick yardstick = new RuledYardstick(x, keys, n, d, layer, reversed);
      double[][] v = new double[rows.length][];
      IntStream.range(0, rows.length).parallel().forEach(k -> v[k] = yardstick.velocity(rows[k]));
      orders.add(v);
    }
    return orders;
  }
}
