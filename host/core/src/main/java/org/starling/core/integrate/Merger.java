package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;

/** Groups the tokens of replicas from time to time, and keeps what the groups are until then. */
final class Merger {
  /** Groups are used once they are this much fewer than the tokens. */
  private static final int FEWER = 2;

  private final Merging merging;
  private final boolean[] together;
  private final boolean sphere;
  private final Shape shape;
  private final MergedKeys[] merged;
  private final long[] lookedAt;
  private final double[] shift;

  /** What a layer of the dynamics became, so that engines see one object as long as it is one. */
  private final Layer[] from;

  private final Layer[] to;

  Merger(Merging merging, Shape shape, boolean[] fullMask, Geometry geometry) {
    this.merging = merging;
    this.shape = shape;
    together = fullMask;
    sphere = geometry == Geometry.SPHERE;
    int replicas = shape.replicas();
    merged = new MergedKeys[replicas];
    lookedAt = new long[replicas];
    shift = new double[replicas];
    from = new Layer[replicas];
    to = new Layer[replicas];
    Arrays.fill(lookedAt, -1);
  }

  /**
   * Whether replica r, having made so many steps, is to be looked at before the next: when it is
   * time to group, and always while tokens keep rows of their own, which may leave their keys.
   */
  boolean due(int r, long steps) {
    return lookedAt[r] != steps && (timely(steps) || merged[r] != null && !together[r]);
  }

  private boolean timely(long steps) {
    return steps % merging.every() == 0;
  }

  /**
   * Groups the tokens of some replicas anew where it is time to or a token has left its key by more
   * than the merging distance; under the full mask moves each group to its mean.
   *
   * @return replicas whose positions or keys are others than before
   */
  boolean[] group(Engine engine, State x, boolean[] which, long[] steps) {
    boolean[] changed = new boolean[which.length];
    boolean[] anew = measure(engine, x, which);
    boolean any = false;
    for (int r = 0; r < which.length; r++) {
      if (which[r]) {
        lookedAt[r] = steps[r];
        anew[r] |= timely(steps[r]);
        any |= anew[r];
      }
    }
    if (!any) {
      return changed;
    }
    double[] positions = engine.download(x);
    boolean moved = false;
    for (int r = 0; r < which.length; r++) {
      if (!anew[r]) {
        continue;
      }
      int at = r * shape.n() * shape.d();
      MergedKeys before = merged[r];
      MergedKeys now =
          new MergedKeys(
              NearTokens.leaders(positions, at, shape.n(), shape.d(), merging.distance()));
      boolean few = FEWER * (long) now.groups() <= now.tokens();
      boolean same = before == null ? !few : few && Arrays.equals(before.leader(), now.leader());
      if (same) {
        continue;
      }
      changed[r] = true;
      merged[r] = few ? now : null;
      if (few && together[r]) {
        moved = true;
        gather(now, positions, at, r);
      } else if (few) {
        shift[r] = Math.max(shift[r], now.shift(positions, at, shape.d()));
      }
    }
    if (moved) {
      engine.upload(x, positions);
    }
    return changed;
  }

  /**
   * How far tokens stand from their keys, where those alone are merged.
   *
   * @return replicas in which one is beyond the merging distance
   */
  private boolean[] measure(Engine engine, State x, boolean[] which) {
    MergedKeys[] keys = new MergedKeys[which.length];
    boolean any = false;
    for (int r = 0; r < which.length; r++) {
      keys[r] = which[r] && !together[r] ? merged[r] : null;
      any |= keys[r] != null;
    }
    boolean[] strayed = new boolean[which.length];
    if (any) {
      double[] farthest = engine.keyShift(x, keys);
      for (int r = 0; r < which.length; r++) {
        shift[r] = Math.max(shift[r], farthest[r]);
        strayed[r] = farthest[r] > merging.distance();
      }
    }
    return strayed;
  }

  /** Puts the tokens of each group at their mean, on the sphere. */
  private void gather(MergedKeys keys, double[] x, int at, int r) {
    int d = shape.d();
    int[] start = keys.start();
    int[] members = keys.members();
    double[] mean = new double[d];
    for (int g = 0; g < keys.groups(); g++) {
      int size = start[g + 1] - start[g];
      if (size == 1) {
        continue;
      }
      Arrays.fill(mean, 0);
      for (int m = start[g]; m < start[g + 1]; m++) {
        for (int c = 0; c < d; c++) {
          mean[c] += x[at + members[m] * d + c] / size;
        }
      }
      if (sphere) {
        double norm = Math.sqrt(Arrays.stream(mean).map(c -> c * c).sum());
        Arrays.setAll(mean, c -> mean[c] / norm);
      }
      for (int m = start[g]; m < start[g + 1]; m++) {
        double square = 0;
        for (int c = 0; c < d; c++) {
          double e = x[at + members[m] * d + c] - mean[c];
          square += e * e;
          x[at + members[m] * d + c] = mean[c];
        }
        shift[r] = Math.max(shift[r], Math.sqrt(square));
      }
    }
  }

  /** The layers, in a new array, with the keys as they are merged now. */
  Layer[] apply(Layer[] layers, boolean[] which) {
    Layer[] all = layers.clone();
    for (int r = 0; r < all.length; r++) {
      if (which[r] && merged[r] != null) {
        if (from[r] != layers[r] || to[r].merged() != merged[r]) {
          from[r] = layers[r];
          to[r] = layers[r].withMerged(merged[r]);
        }
        all[r] = to[r];
      }
    }
    return all;
  }

  /**
   * What merging has done to replica r, the last step included.
   *
   * @param x where the tokens are after so many steps
   */
  Merging.Effect effect(Engine engine, State x, int r, long steps) {
    if (lookedAt[r] != steps) {
      boolean[] one = new boolean[merged.length];
      one[r] = true;
      measure(engine, x, one);
    }
    int groups = merged[r] == null ? shape.n() : merged[r].groups();
    return new Merging.Effect(groups, shift[r]);
  }

  void save(int r, DataOutputStream out) throws IOException {
    out.writeLong(lookedAt[r]);
    out.writeDouble(shift[r]);
    out.writeBoolean(merged[r] != null);
    if (merged[r] != null) {
      for (int leader : merged[r].leader()) {
        out.writeInt(leader);
      }
    }
  }

  void restore(int r, DataInputStream in) throws IOException {
    lookedAt[r] = in.readLong();
    shift[r] = in.readDouble();
    merged[r] = null;
    if (in.readBoolean()) {
      int[] leader = new int[shape.n()];
      for (int i = 0; i < leader.length; i++) {
        leader[i] = in.readInt();
      }
      merged[r] = new MergedKeys(leader);
    }
  }
}
