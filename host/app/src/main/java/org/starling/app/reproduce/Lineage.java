package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.cluster.CircleGaps;
import org.starling.analysis.cluster.ClusterTracking;
import org.starling.analysis.cluster.Clusters;
import org.starling.analysis.cluster.Track;

/**
 * The clusters of one replica on the circle through all frames: gaps of at least 1 / (4 sqrt(beta))
 * part them. Angles are lifted, so that a token that goes round does not jump.
 *
 * @param angles {@code [tokens][frames]}
 * @param tracks lives of the clusters
 */
record Lineage(double[] t, double[][] angles, List<Track> tracks) {
  private static final double GAP = 0.25;

  static Lineage of(RunData data, int replica) {
    double[] t = data.times();
    int n = data.resolved().shape().n();
    int d = data.resolved().shape().d();
    if (d != 2) {
      throw new IllegalArgumentException("a lineage is drawn on the circle, d = 2, not " + d);
    }
    ReplicaFacts facts = new ReplicaFacts(data.dynamics(replica), data.positions(0, replica), n, d);
    double[][] angles = new double[n][t.length];
    List<Clusters> frames = new ArrayList<>();
    for (int k = 0; k < t.length; k++) {
      double[] x = data.positions(k, replica);
      double[] now = new double[n];
      for (int i = 0; i < n; i++) {
        double before = k == 0 ? Double.NaN : angles[i][k - 1];
        angles[i][k] = Probes.lifted(before, Math.atan2(x[2 * i + 1], x[2 * i]));
        now[i] = angles[i][k];
      }
      frames.add(CircleGaps.of(now, facts.radius(GAP)));
    }
    return new Lineage(t, angles, ClusterTracking.of(t, frames));
  }

  /** Places {@code [k][2]}, time and angle, where clusters merged into others. */
  double[][] merges() {
    List<double[]> places = new ArrayList<>();
    for (Track track : tracks) {
      for (int k = 0; !track.alive() && k < t.length; k++) {
        if (t[k] == track.end()) {
          places.add(new double[] {t[k], angles[track.tokens()[0]][k]});
        }
      }
    }
    return places.toArray(new double[0][]);
  }

  /** Rows of a table: id, birth, end, into, lifetime, number of tokens. */
  List<Object[]> rows() {
    List<Object[]> rows = new ArrayList<>();
    for (Track track : tracks) {
      rows.add(
          new Object[] {
            track.id(),
            track.birth(),
            track.end(),
            track.mergedInto(),
            track.lifetime(),
            track.tokens().length
          });
    }
    return rows;
  }
}
