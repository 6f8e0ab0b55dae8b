package org.starling.core.experiment;

import org.starling.core.engine.Observations.Linkage;
import org.starling.core.model.Geometry;

/** A quantity that a run reports at its save times. */
public sealed interface ObservableSpec {
  /** Word in the experiment file. */
  String key();

  /** A quantity without parameters. */
  record Plain(Quantity quantity) implements ObservableSpec {
    @Override
    public String key() {
      return Binding.label(quantity);
    }
  }

  /** Quantities without parameters. */
  enum Quantity {
    ENERGY,
    DISTANCE_TO_FIRST,
    ORDER_PARAMETER,
    ATTENTION_ENTROPY,
    EFFECTIVE_RANK,
    NORMS,
    /** Number of non-finite coordinates. */
    NON_FINITE,
    /** Largest speed of a token: tells a final state from a metastable one. */
    MAX_SPEED
  }

  /**
   * Number and labels of single-linkage clusters.
   *
   * @param threshold smallest cosine (not included) or largest distance (not included) of a link
   */
  record Clusters(Linkage linkage, double threshold) implements ObservableSpec {
    static final double COSINE = 0.999;
    static final double DISTANCE = 0.01;

    /**
     * Where no threshold is given: by cosine on the sphere; by distance elsewhere, where tokens of
     * one direction may be far apart.
     */
    static Clusters usual(Geometry geometry) {
      return geometry == Geometry.SPHERE
          ? new Clusters(Linkage.COSINE, COSINE)
          : new Clusters(Linkage.DISTANCE, DISTANCE);
    }

    @Override
    public String key() {
      return "clusters";
    }
  }

  /**
   * Smallest, mean and largest pairwise cosine and their histogram.
   *
   * @param bins equal bins of [-1, 1]
   */
  record InnerProducts(int bins) implements ObservableSpec {
    static final int BINS = 64;

    @Override
    public String key() {
      return "inner-products";
    }
  }
}
