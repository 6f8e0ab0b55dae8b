package org.starling.core.run;

import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.State;
import org.starling.core.engine.Watch;

/**
 * A condition that ends a replica before its end time. It is judged at fixed places of the run,
 * whatever interrupts it: at output times, or on accepted states whose number of steps is a
 * multiple of {@link #everySteps}.
 */
public sealed interface StopRule {
  /** Steps between two judgements; 0 for output times. */
  int everySteps();

  /** What steps may stop at, for a rule that looks at accepted states. */
  Watch watch();

  /**
   * Judges all replicas.
   *
   * @return per replica what was found, for a sentence; null where the condition does not hold
   */
  String[] judge(Engine engine, State x);

  /**
   * At most {@code most} single-linkage clusters are left.
   *
   * @param threshold as in {@link Observations#clusters}
   */
  record Clusters(Linkage linkage, double threshold, int most, int everySteps) implements StopRule {
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
          found[r] =
              all[r].count()
                  + (all[r].count() == 1 ? " cluster is" : " clusters are")
                  + " left ("
                  + linkage.name().toLowerCase(Locale.ROOT)
                  + " threshold "
                  + threshold
                  + ")";
        }
      }
      return found;
    }
  }

  /**
   * All tokens are closer than {@code distance} to the first one.
   *
   * @param distance Euclidean, &gt; 0
   */
  record Collapse(double distance, int everySteps) implements StopRule {
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
}
