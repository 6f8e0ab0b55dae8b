package org.starling.core.run;

import java.util.Arrays;
import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.State;
import org.starling.core.engine.Watch;

/**
 * A condition that ends a replica before its end time, or whose moment is noted as an event. It is
 * judged at fixed places of the run, whatever interrupts it: at output times, or on accepted states
 * whose number of steps is a multiple of {@link #everySteps}.
 *
 * <p>What a rule has to remember of a replica from look to look stands in {@link #MEMORY} numbers,
 * all 0 at first.
 */
public sealed interface StopRule {
  /** Numbers that a rule may remember of a replica. */
  int MEMORY = 5;

  /** Steps between two judgements; 0 for output times. */
  int everySteps();

  /** Name in files: what holds when it is found to. */
  String label();

  /** Whether it can come true several times in a replica. */
  boolean recurs();

  /**
   * Judges all replicas; remembers nothing.
   *
   * @param memory of each replica, as {@link #remember} left it
   * @return per replica what was found, for a sentence; null where the condition does not hold
   */
  String[] judge(Look look, double[][] memory);

  /** After a judgement: what the next one has to know of these replicas. */
  void remember(Look look, double[][] memory, boolean[] which);

  /**
   * What steps may stop at, for a rule that looks at accepted states; null where it never holds.
   *
   * @param memory of the replicas that go on
   * @throws UnsupportedOperationException for a rule that must see every place of its own
   */
  Watch watch(double[][] memory);

  /** A rule that depends on the state alone. */
  sealed interface Plain extends StopRule {
    /** Judges all replicas. */
    String[] judge(Engine engine, State x);

    /** What steps may stop at. */
    Watch watch();

    @Override
    default boolean recurs() {
      return false;
    }

    @Override
    default String[] judge(Look look, double[][] memory) {
      return judge(look.engine(), look.x());
    }

    @Override
    default void remember(Look look, double[][] memory, boolean[] which) {}

    @Override
    default Watch watch(double[][] memory) {
      return watch();
    }
  }

  /**
   * At most {@code most} single-linkage clusters are left.
   *
   * @param threshold as in {@link Observations#clusters}
   */
  record Clusters(Linkage linkage, double threshold, int most, int everySteps) implements Plain {
    @Override
    public String label() {
      return "clusters-" + most;
    }

    @Override
    public Watch watch() {
      Watch.Kind kind =
          linkage == Linkage.COSINE ? Watch.Kind.COSINE_CLUSTERS : Watch.Kind.DISTANCE_CLUSTERS;
      return new Watch(kind, threshold, most, everySteps);
    }

    @Override
    public String[] judge(Engine engine, State x) {
      Observations.Clusters[] all = engine.observations().clusters(x, linkage, threshold);
      String[] found = new String[all.length];
      for (int r = 0; r < all.length; r++) {
        if (all[r].count() <= most) {
          found[r] = left(all[r].count()) + link();
        }
      }
      return found;
    }

    private static String left(int count) {
      return count + (count == 1 ? " cluster is" : " clusters are") + " left";
    }

    private String link() {
      return " (" + linkage.name().toLowerCase(Locale.ROOT) + " threshold " + threshold + ")";
    }
  }

  /**
   * All tokens are closer than {@code distance} to the first one.
   *
   * @param distance Euclidean, &gt; 0
   */
  record Collapse(double distance, int everySteps) implements Plain {
    @Override
    public String label() {
      return "collapse";
    }

    @Override
    public Watch watch() {
      return new Watch(Watch.Kind.NEAR_FIRST, distance, 1, everySteps);
    }

    @Override
    public String[] judge(Engine engine, State x) {
      Observations.Spread[] all = engine.observations().distanceToFirst(x);
      String[] found = new String[all.length];
      for (int r = 0; r < all.length; r++) {
        if (all[r].max() < distance) {
          found[r] = "all tokens are within " + all[r].max() + " of the first one";
        }
      }
      return found;
    }
  }

  /**
   * There are fewer single-linkage clusters than ever before, and there were at most {@code from}.
   * What the first look finds is a beginning, not a merging. Memory: the fewest so far, or 0.
   */
  record Merged(Linkage linkage, double threshold, int from, int everySteps) implements StopRule {
    @Override
    public String label() {
      return "merged";
    }

    @Override
    public boolean recurs() {
      return true;
    }

    @Override
    public String[] judge(Look look, double[][] memory) {
      Observations.Clusters[] now = look.clusters(linkage, threshold);
      String[] found = new String[now.length];
      for (int r = 0; r < now.length; r++) {
        int before = (int) memory[r][0];
        if (before > 0 && before <= from && now[r].count() < before) {
          found[r] = "of " + before + " clusters " + Clusters.left(now[r].count());
        }
      }
      return found;
    }

    @Override
    public void remember(Look look, double[][] memory, boolean[] which) {
      Observations.Clusters[] now = look.clusters(linkage, threshold);
      for (int r = 0; r < now.length; r++) {
        if (which[r]) {
          double before = memory[r][0];
          memory[r][0] = before == 0 ? now[r].count() : Math.min(before, now[r].count());
        }
      }
    }

    @Override
    public Watch watch(double[][] memory) {
      int most = 0;
      for (double[] one : memory) {
        most = Math.max(most, one[0] == 0 ? Integer.MAX_VALUE : (int) one[0] - 1);
      }
      return most == 0 ? null : new Clusters(linkage, threshold, most, everySteps).watch();
    }
  }

  /**
   * The energy leaves a plateau: a time of at least {@code lasting} through which it stayed within
   * an interval of length {@code within}. Memory: whether a plateau may have begun, when, its
   * smallest and largest energy, the last look.
   */
  record PlateauLeft(double within, double lasting, int everySteps) implements StopRule {
    @Override
    public String label() {
      return "plateau-left";
    }

    @Override
    public boolean recurs() {
      return true;
    }

    @Override
    public String[] judge(Look look, double[][] memory) {
      double[] energy = look.energy();
      String[] found = new String[energy.length];
      for (int r = 0; r < energy.length; r++) {
        double[] m = memory[r];
        if (m[0] == 1 && outside(m, energy[r]) && m[4] - m[1] >= lasting) {
          found[r] =
              "the energy "
                  + energy[r]
                  + " has left the plateau from "
                  + m[2]
                  + " to "
                  + m[3]
                  + ", on which it was from t = "
                  + m[1]
                  + " to "
                  + m[4];
        }
      }
      return found;
    }

    /** Written so that an energy that is no number is outside. */
    private boolean outside(double[] m, double energy) {
      return !(Math.max(m[3], energy) - Math.min(m[2], energy) <= within);
    }

    @Override
    public void remember(Look look, double[][] memory, boolean[] which) {
      double[] energy = look.energy();
      for (int r = 0; r < energy.length; r++) {
        double[] m = memory[r];
        if (!which[r]) {
          continue;
        }
        if (m[0] == 0 || outside(m, energy[r])) {
          m[0] = 1;
          m[1] = look.t()[r];
          m[2] = energy[r];
          m[3] = energy[r];
        } else {
          m[2] = Math.min(m[2], energy[r]);
          m[3] = Math.max(m[3], energy[r]);
        }
        m[4] = look.t()[r];
      }
    }

    @Override
    public Watch watch(double[][] memory) {
      throw new UnsupportedOperationException("a plateau is seen by a look at every place");
    }
  }

  /** Whether steps can run on until {@link #watch} ends them. */
  default boolean watched() {
    return !(this instanceof PlateauLeft);
  }

  /** A fresh memory of so many replicas. */
  static double[][] memory(int replicas) {
    double[][] memory = new double[replicas][];
    Arrays.setAll(memory, r -> new double[MEMORY]);
    return memory;
  }
}
