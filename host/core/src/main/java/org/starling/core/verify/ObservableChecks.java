package org.starling.core.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.PairStatistics;
import org.starling.core.engine.Observations.Spread;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/** Observables of an engine against the float64 definition, on clustered tokens. */
final class ObservableChecks {
  /** Every quantity, by the word that experiments use for it where they have one. */
  static final Set<String> ALL =
      Set.of(
          "energy",
          "attention-entropy",
          "attention-rows",
          "inner-products",
          "clusters",
          "norms",
          "distance-to-first",
          "order-parameter",
          "effective-rank",
          "non-finite");

  private static final int BINS = 32;

  /** Cosines inside clusters of spread 0.1 lie far above this, those between clusters far below. */
  private static final double THRESHOLD = 0.9;

  private final Engine engine;
  private final Engine definition;
  private final double unit;
  private final List<Measurement> all = new ArrayList<>();

  ObservableChecks(Engine engine, Engine definition) {
    this.engine = engine;
    this.definition = definition;
    this.unit = engine.precision() == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
  }

  static String variant(String quantity, Precision precision, int d) {
    return "observable " + quantity + " " + precision.name().toLowerCase(Locale.ROOT) + " d=" + d;
  }

  /**
   * Measures some quantities at one dimension.
   *
   * @param layers give the inverse temperatures for those that have one
   */
  List<Measurement> measure(int n, List<Layer> layers, Set<String> wanted) {
    all.clear();
    int d = layers.get(0).d();
    Shape shape = new Shape(1, n, d);
    TestCloud cloud = new TestCloud(0.05);
    double[] x = cloud.positions(n, d, Geometry.SPHERE, engine.precision(), 21);
    try (State mine = engine.allocateState(shape);
        State exact = definition.allocateState(shape)) {
      engine.upload(mine, x);
      definition.upload(exact, x);
      Observations a = engine.observations();
      Observations b = definition.observations();
      Situation at = new Situation(n, d, Double.NaN, cloud.label());
      for (Layer l : layers) {
        attention(a, b, mine, exact, l, wanted, new Situation(n, d, l.beta(), cloud.label()));
      }
      if (wanted.contains("inner-products")) {
        pairs(a.innerProducts(mine, BINS)[0], b.innerProducts(exact, BINS)[0], at);
      }
      if (wanted.contains("clusters")) {
        clusters(a, b, mine, exact, at);
      }
      if (wanted.contains("norms")) {
        spread("norms", a.norms(mine)[0], b.norms(exact)[0], at);
      }
      if (wanted.contains("distance-to-first")) {
        spread("distance-to-first", a.distanceToFirst(mine)[0], b.distanceToFirst(exact)[0], at);
      }
      if (wanted.contains("order-parameter")) {
        Sample s = Sample.absolute(a.orderParameter(mine), b.orderParameter(exact), 1);
        add("order-parameter", "order-parameter", at, s, 64 * unit);
      }
      if (wanted.contains("effective-rank")) {
        Sample s = Sample.absolute(a.secondMoment(mine)[0], b.secondMoment(exact)[0], 1);
        add("effective-rank", "second moment", at, s, 64 * unit);
      }
      if (wanted.contains("non-finite")) {
        nonFinite(a, mine, x, at);
      }
    }
    return List.copyOf(all);
  }

  private record Situation(int n, int d, double beta, String state) {}

  private void attention(
      Observations a,
      Observations b,
      State mine,
      State exact,
      Layer layer,
      Set<String> wanted,
      Situation at) {
    Layer[] layers = {layer};
    // An exponent of size beta carries beta units of rounding.
    double allowed = (64 + 8 * Math.abs(layer.beta())) * unit;
    if (wanted.contains("energy")) {
      Sample s = Sample.relative(a.energy(mine, layers)[0], b.energy(exact, layers)[0]);
      add("energy", "energy", at, s, allowed);
    }
    if (wanted.contains("attention-entropy")) {
      double[] h = a.attentionEntropy(mine, layers);
      double[] g = b.attentionEntropy(exact, layers);
      Sample s = Sample.absolute(h, g, Math.max(1, Math.log(at.n())));
      add("attention-entropy", "attention entropy", at, s, allowed);
    }
    if (wanted.contains("attention-rows")) {
      int[] rows = {0, at.n() / 2, at.n() - 1};
      double[][] p = a.attentionRows(mine, layer, 0, 0, rows);
      double[][] q = b.attentionRows(exact, layer, 0, 0, rows);
      add("attention-rows", "attention rows", at, Sample.absolute(flat(p), flat(q), 1), allowed);
    }
  }

  private void pairs(PairStatistics a, PairStatistics b, Situation at) {
    double[] mine = {a.min(), a.mean(), a.max()};
    double[] exact = {b.min(), b.mean(), b.max()};
    add("inner-products", "inner products", at, Sample.absolute(mine, exact, 1), 64 * unit);
    long moved = 0;
    long total = 0;
    long owed = (long) at.n() * (at.n() - 1);
    for (int k = 0; k < BINS; k++) {
      moved += Math.abs(a.histogram()[k] - b.histogram()[k]);
      total += a.histogram()[k];
    }
    // A pair within rounding of a bin's edge may fall on either side of it.
    double allowed = engine.precision() == Precision.DOUBLE ? 0 : 1e-3;
    double share = total == owed ? moved / 2.0 / owed : Double.NaN;
    add("inner-products", "inner-product histogram", at, new Sample(share, share), allowed);
  }

  private void clusters(Observations a, Observations b, State mine, State exact, Situation at) {
    for (Observations.Linkage linkage : Observations.Linkage.values()) {
      double threshold = linkage == Observations.Linkage.COSINE ? THRESHOLD : 0.4;
      int[] labels = a.clusters(mine, linkage, threshold)[0].labels();
      int[] wanted = b.clusters(exact, linkage, threshold)[0].labels();
      long wrong = 0;
      for (int i = 0; i < wanted.length; i++) {
        wrong += labels[i] == wanted[i] ? 0 : 1;
      }
      add(
          "clusters",
          "clusters by " + linkage.name().toLowerCase(Locale.ROOT),
          at,
          new Sample(wrong, wrong),
          0);
    }
  }

  private void spread(String quantity, Spread a, Spread b, Situation at) {
    double[] mine = {a.min(), a.mean(), a.max()};
    double[] exact = {b.min(), b.mean(), b.max()};
    add(quantity, quantity.replace('-', ' '), at, Sample.absolute(mine, exact, 1), 64 * unit);
  }

  private void nonFinite(Observations a, State mine, double[] x, Situation at) {
    double[] broken = x.clone();
    int token = at.n() / 2;
    broken[token * at.d()] = Double.NaN;
    broken[broken.length - 1] = Double.POSITIVE_INFINITY;
    engine.upload(mine, broken);
    Observations.NonFinite found = a.nonFinite(mine)[0];
    boolean right = found.count() == 2 && found.firstToken() == token;
    double wrong = right ? 0 : 1;
    add("non-finite", "non-finite count", at, new Sample(wrong, wrong), 0);
    engine.upload(mine, x);
  }

  private void add(String quantity, String operation, Situation at, Sample s, double allowed) {
    boolean passed = s.worst() <= allowed;
    all.add(
        new Measurement(
            operation,
            variant(quantity, engine.precision(), at.d()),
            at.d(),
            at.beta(),
            at.n(),
            at.state(),
            s.median(),
            s.worst(),
            allowed,
            passed,
            passed ? "" : "error above what is allowed"));
  }

  private static double[] flat(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }
}
