package org.starling.core.observe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Observations.Spread;
import org.starling.core.engine.Shape;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;

/** The quantities a run can report, by the name they have in an experiment. */
public final class Observers {
  /**
   * Names that {@link #named} knows; {@code clusters} and {@code inner-products} have parameters.
   */
  public static final List<String> NAMES =
      List.of(
          "energy",
          "distance-to-first",
          "order-parameter",
          "attention-entropy",
          "effective-rank",
          "norms",
          "non-finite",
          "max-speed");

  private Observers() {}

  /**
   * A quantity without parameters.
   *
   * @throws IllegalArgumentException for an unknown name, naming the known ones
   */
  public static Observer named(String name) {
    return switch (name) {
      case "energy" -> reals(name, s -> s.engine().observations().energy(s.x(), s.layers()));
      case "order-parameter" -> reals(name, s -> s.engine().observations().orderParameter(s.x()));
      case "attention-entropy" ->
          reals(name, s -> s.engine().observations().attentionEntropy(s.x(), s.layers()));
      case "effective-rank" ->
          reals(
              name,
              s ->
                  EffectiveRank.of(
                      s.engine().observations().secondMoment(s.x()), s.x().shape().d()));
      case "norms" -> spread(name, s -> s.engine().observations().norms(s.x()));
      case "distance-to-first" ->
          new Measured(
              List.of(Column.real(name + "-mean"), Column.real(name + "-max")),
              (s, out) -> {
                Spread[] all = s.engine().observations().distanceToFirst(s.x());
                for (int r = 0; r < all.length; r++) {
                  out.real(r, all[r].mean());
                  out.real(r, all[r].max());
                }
              });
      case "non-finite" ->
          new Measured(
              List.of(Column.count(name)),
              (s, out) -> {
                Observations.NonFinite[] all = s.engine().observations().nonFinite(s.x());
                for (int r = 0; r < all.length; r++) {
                  out.count(r, all[r].count());
                }
              });
      case "max-speed" -> new MaxSpeed();
      default ->
          throw new IllegalArgumentException(
              "unknown observable '"
                  + name
                  + "'; known: "
                  + String.join(", ", NAMES)
                  + ", clusters, inner-products");
    };
  }

  /**
   * Number of single-linkage clusters and their labels.
   *
   * @param suffix added to the names where a run reports several, e.g. {@code -0.9}; empty for one
   */
  public static Observer clusters(Linkage linkage, double threshold, String suffix) {
    return new ClusterObserver(linkage, threshold, suffix, true);
  }

  /** Number of single-linkage clusters, without their labels. */
  public static Observer clusterCount(Linkage linkage, double threshold) {
    return new ClusterObserver(linkage, threshold, "", false);
  }

  /**
   * Smallest, mean and largest pairwise cosine, and their histogram.
   *
   * @param bins equal bins of [-1, 1], &gt;= 1
   */
  public static Observer innerProducts(int bins) {
    return new InnerProductObserver(bins, true);
  }

  /** Smallest, mean and largest pairwise cosine, without their histogram. */
  public static Observer innerProductRange() {
    return new InnerProductObserver(1, false);
  }

  /**
   * Refuses quantities that mean nothing for a model.
   *
   * @param name as in {@link #named}
   * @throws IllegalArgumentException with the reason and what to ask for instead
   */
  public static void check(String name, Dynamics dynamics) {
    if (!name.equals("energy")) {
      return;
    }
    if (dynamics.geometry() != Geometry.SPHERE) {
      throw new IllegalArgumentException(
          "energy is defined on the sphere only (exp of beta (<Qx, Ky> - 1)), the geometry is "
              + dynamics.geometry().name().toLowerCase(java.util.Locale.ROOT)
              + "; observe norms or inner-products instead");
    }
    Layer first = dynamics.at(0, 0);
    if (first.interaction() != null) {
      throw new IllegalArgumentException(
          "energy is defined by Q, K and beta, the model has its own interaction; observe"
              + " inner-products or clusters instead");
    }
  }

  /**
   * All columns of a list of observers.
   *
   * @throws IllegalArgumentException if two have the same name
   */
  public static List<Column> columns(List<Observer> observers, Shape shape) {
    List<Column> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Observer o : observers) {
      for (Column c : o.columns(shape)) {
        if (!names.add(c.name())) {
          throw new IllegalArgumentException("two observables are both called " + c.name());
        }
        columns.add(c);
      }
    }
    return columns;
  }

  private static Observer reals(String name, Function<Snapshot, double[]> measure) {
    return new Measured(
        List.of(Column.real(name)),
        (s, out) -> {
          double[] all = measure.apply(s);
          for (int r = 0; r < all.length; r++) {
            out.real(r, all[r]);
          }
        });
  }

  private static Observer spread(String name, Function<Snapshot, Spread[]> measure) {
    return new Measured(
        List.of(
            Column.real(name + "-min"), Column.real(name + "-mean"), Column.real(name + "-max")),
        (s, out) -> {
          Spread[] all = measure.apply(s);
          for (int r = 0; r < all.length; r++) {
            out.real(r, all[r].min());
            out.real(r, all[r].mean());
            out.real(r, all[r].max());
          }
        });
  }

  /** An observer that is one measurement. */
  private record Measured(
      List<Column> all, java.util.function.BiConsumer<Snapshot, Readings> measure)
      implements Observer {
    @Override
    public List<Column> columns(Shape shape) {
      return all;
    }

    @Override
    public void observe(Snapshot at, Readings out) {
      measure.accept(at, out);
    }
  }

  private record ClusterObserver(
      Linkage linkage, double threshold, String suffix, boolean withLabels) implements Observer {
    @Override
    public List<Column> columns(Shape shape) {
      Column count = Column.count("clusters" + suffix);
      return withLabels
          ? List.of(count, new Column("cluster-labels" + suffix, Column.Kind.LABELS, shape.n()))
          : List.of(count);
    }

    @Override
    public void observe(Snapshot at, Readings out) {
      Observations.Clusters[] all = at.engine().observations().clusters(at.x(), linkage, threshold);
      for (int r = 0; r < all.length; r++) {
        out.count(r, all[r].count());
        if (withLabels) {
          out.array(r, all[r].labels());
        }
      }
    }
  }

  private record InnerProductObserver(int bins, boolean withHistogram) implements Observer {
    private InnerProductObserver {
      if (bins < 1) {
        throw new IllegalArgumentException("inner-products needs bins >= 1, got " + bins);
      }
    }

    @Override
    public List<Column> columns(Shape shape) {
      List<Column> columns = new ArrayList<>();
      for (String part : List.of("min", "mean", "max")) {
        columns.add(Column.real("inner-products-" + part));
      }
      if (withHistogram) {
        columns.add(new Column("inner-products-histogram", Column.Kind.COUNTS, bins));
      }
      return columns;
    }

    @Override
    public void observe(Snapshot at, Readings out) {
      Observations.PairStatistics[] all = at.engine().observations().innerProducts(at.x(), bins);
      for (int r = 0; r < all.length; r++) {
        out.real(r, all[r].min());
        out.real(r, all[r].mean());
        out.real(r, all[r].max());
        if (withHistogram) {
          out.array(r, all[r].histogram());
        }
      }
    }
  }

  /** The largest speed of a token, which says whether the dynamics is still going on. */
  private record MaxSpeed() implements Observer {
    @Override
    public List<Column> columns(Shape shape) {
      return List.of(Column.real("max-speed"));
    }

    @Override
    public boolean needsScratch() {
      return true;
    }

    @Override
    public void observe(Snapshot at, Readings out) {
      boolean[] all = new boolean[at.x().shape().replicas()];
      java.util.Arrays.fill(all, true);
      at.engine().velocity(at.x(), at.layers(), all, at.scratch());
      Engine.Extreme[] largest = at.engine().largest(at.scratch(), all);
      for (int r = 0; r < largest.length; r++) {
        out.real(r, largest[r].value());
      }
    }
  }
}
