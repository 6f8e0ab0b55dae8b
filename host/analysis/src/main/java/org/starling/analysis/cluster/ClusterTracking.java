package org.starling.analysis.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Follows clusters from frame to frame by the tokens they share. A cluster goes on in the new
 * cluster that holds most of its tokens; where several go on in one, the one with most tokens there
 * keeps its track (ties: the older track) and the others have merged into it. A new cluster that
 * continues none has split from the one that gave it most tokens. Every birth, merge and split lies
 * between the named frame and the one before: times are no finer than the frames.
 */
public final class ClusterTracking {
  private ClusterTracking() {}

  /**
   * @param times of the frames, strictly ascending
   * @param frames the partition of the same tokens at each time
   * @return all tracks, in order of birth
   */
  public static List<Track> of(double[] times, List<Clusters> frames) {
    check(times, frames);
    List<Life> lives = new ArrayList<>();
    Clusters before = frames.get(0);
    int[] holder = new int[before.count()];
    for (int c = 0; c < holder.length; c++) {
      holder[c] = lives.size();
      lives.add(new Life(times[0], -1));
    }
    for (int f = 1; f < times.length; f++) {
      Clusters now = frames.get(f);
      int[][] shared = shared(before, now);
      int[] heir = new int[before.count()];
      for (int c = 0; c < heir.length; c++) {
        heir[c] = largest(shared[c]);
      }
      int[] next = new int[now.count()];
      Arrays.fill(next, -1);
      for (int c = 0; c < heir.length; c++) {
        int rival = next[heir[c]];
        if (rival < 0 || wins(shared, holder, c, rival, heir[c])) {
          next[heir[c]] = c;
        }
      }
      int[] held = new int[now.count()];
      for (int e = 0; e < held.length; e++) {
        if (next[e] >= 0) {
          held[e] = holder[next[e]];
        } else {
          held[e] = lives.size();
          lives.add(new Life(times[f], holder[largestColumn(shared, e)]));
        }
      }
      for (int c = 0; c < heir.length; c++) {
        if (next[heir[c]] != c) {
          lives.get(holder[c]).end(times[f], held[heir[c]], times[f - 1], before, c);
        }
      }
      before = now;
      holder = held;
    }
    for (int c = 0; c < holder.length; c++) {
      lives.get(holder[c]).end(Double.NaN, -1, times[times.length - 1], before, c);
    }
    List<Track> tracks = new ArrayList<>();
    for (int id = 0; id < lives.size(); id++) {
      Life l = lives.get(id);
      tracks.add(new Track(id, l.birth, l.last, l.end, l.into, l.from, l.tokens));
    }
    return tracks;
  }

  private static void check(double[] times, List<Clusters> frames) {
    if (times.length == 0 || times.length != frames.size()) {
      throw new IllegalArgumentException(
          frames.size() + " partitions cannot belong to " + times.length + " times");
    }
    for (int f = 1; f < times.length; f++) {
      if (!(times[f] > times[f - 1])) {
        throw new IllegalArgumentException(
            "frame " + f + " at t = " + times[f] + " does not follow t = " + times[f - 1]);
      }
      if (frames.get(f).labels().length != frames.get(0).labels().length) {
        throw new IllegalArgumentException("frame " + f + " has another number of tokens");
      }
    }
  }

  private static boolean wins(int[][] shared, int[] holder, int c, int rival, int heir) {
    int more = shared[c][heir] - shared[rival][heir];
    return more > 0 || (more == 0 && holder[c] < holder[rival]);
  }

  private static int[][] shared(Clusters a, Clusters b) {
    int[][] shared = new int[a.count()][b.count()];
    for (int i = 0; i < a.labels().length; i++) {
      shared[a.labels()[i]][b.labels()[i]]++;
    }
    return shared;
  }

  private static int largest(int[] counts) {
    int best = 0;
    for (int e = 1; e < counts.length; e++) {
      best = counts[e] > counts[best] ? e : best;
    }
    return best;
  }

  private static int largestColumn(int[][] shared, int e) {
    int best = 0;
    for (int c = 1; c < shared.length; c++) {
      best = shared[c][e] > shared[best][e] ? c : best;
    }
    return best;
  }

  /** A track that is being written. */
  private static final class Life {
    private final double birth;
    private final int from;
    private double last;
    private double end;
    private int into;
    private int[] tokens;

    Life(double birth, int from) {
      this.birth = birth;
      this.from = from;
    }

    void end(double time, int heir, double lastSeen, Clusters frame, int cluster) {
      end = time;
      into = heir;
      last = lastSeen;
      tokens = frame.members().get(cluster);
    }
  }
}
