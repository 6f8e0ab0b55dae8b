package org.starling.core.experiment;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.model.Dynamics;

/**
 * What distinguishes the replicas of an experiment. Replica {@code p * starts + s} is start s at
 * point p of the sweep. Made on demand: there may be more points than memory holds.
 */
final class Replicas {
  private final Experiment experiment;
  private final SweptFile swept;
  private final DynamicsSource source;
  private final SweepSpec sweep;
  private final int starts;
  private final int seedAxis;

  /** Sizes of the axes other than the seed's, 1 for the seed's. */
  private final int[] sizes;

  /** Positions read from a file, {@code [n][d]} or {@code [R][n][d]}; null for drawn ones. */
  private final double[] given;

  private final FrozenTokens frozen = new FrozenTokens();
  private List<Dynamics> dynamics;
  private List<Dynamics> distinct;
  private TokensSpec[] tokens;

  /**
   * @param swept null where there is no sweep
   */
  Replicas(Experiment experiment, SweptFile swept, DynamicsSource source, double[] given) {
    this.given = given;
    this.experiment = experiment;
    this.swept = swept;
    this.source = source;
    sweep = experiment.sweep();
    starts = experiment.tokens().replicas();
    seedAxis = sweep == null ? -1 : sweep.seedAxis();
    sizes = new int[sweep == null ? 0 : sweep.axes().size()];
    for (int a = 0; a < sizes.length; a++) {
      sizes[a] = a == seedAxis ? 1 : sweep.axes().get(a).values().size();
    }
  }

  /** Number of the starts of a replica's point. */
  int start(int replica) {
    return replica % starts;
  }

  /** Seed of a replica. */
  long seed(int replica) {
    return seedAxis < 0
        ? experiment.seed()
        : sweep.axes().get(seedAxis).values().at(seedIndex(replica)).longValue();
  }

  /** Number of the replica's seed among those swept. */
  private int seedIndex(int replica) {
    return seedAxis < 0 ? 0 : sweep.index(seedAxis, replica / starts);
  }

  /** Number of the model of a replica: its point, the seed apart. */
  private int model(int replica) {
    int number = 0;
    for (int a = 0; a < sizes.length; a++) {
      number = number * sizes[a] + (sizes[a] == 1 ? 0 : sweep.index(a, replica / starts));
    }
    return number;
  }

  /** How the tokens of a replica are drawn. */
  Init init(int replica) {
    make();
    return tokens[model(replica)].init();
  }

  /** Fills in where the tokens of a replica start, {@code [n][d]} from {@code at} on. */
  void start(int replica, double[] x, int at) {
    make();
    TokensSpec own = tokens[model(replica)];
    int n = experiment.tokens().n();
    int d = experiment.tokens().d();
    if (given != null) {
      int from = given.length == n * d ? 0 : start(replica) * n * d;
      System.arraycopy(given, from, x, at, n * d);
    } else {
      InitialTokens.draw(own.init(), seed(replica), start(replica), n, d, x, at);
    }
    FrozenTokens.place(own.frozen(), d, x, at);
  }

  /** Puts frozen tokens of stated places there. */
  void place(int replica, double[] x, int at) {
    make();
    FrozenTokens.place(tokens[model(replica)].frozen(), experiment.tokens().d(), x, at);
  }

  /** The dynamics of a replica, for the roles of its tokens. */
  private Dynamics withRoles(Dynamics plain, int replica) {
    int n = experiment.tokens().n();
    int d = experiment.tokens().d();
    return frozen.roles(
        plain,
        tokens[model(replica)].frozen(),
        tokens[model(replica)].weights(),
        n,
        d,
        () -> {
          double[] x = new double[n * d];
          start(replica, x, 0);
          return x;
        });
  }

  /**
   * The first replica with the same start: the same seed and law.
   *
   * @param known by law, seed and start the replicas seen so far; this one is added
   */
  int likeStart(int replica, Map<Init, int[]> known) {
    int seeds = seedAxis < 0 ? 1 : sweep.axes().get(seedAxis).values().size();
    int[] first =
        known.computeIfAbsent(
            init(replica),
            init -> {
              int[] none = new int[seeds * starts];
              Arrays.fill(none, -1);
              return none;
            });
    int key = seedIndex(replica) * starts + start(replica);
    if (first[key] < 0) {
      first[key] = replica;
    }
    return first[key];
  }

  /** Dynamics of each replica; equal ones are one object. */
  List<Dynamics> dynamics() {
    make();
    return dynamics;
  }

  /** Those that occur, each once, in the order of their first replicas. */
  List<Dynamics> distinct() {
    make();
    return distinct;
  }

  private synchronized void make() {
    // Roles of tokens are found in starts, which are asked for on the way.
    if (tokens != null) {
      return;
    }
    if (sweep == null) {
      tokens = new TokensSpec[] {experiment.tokens()};
      Dynamics only = source.of(experiment.model(), experiment.seed());
      if (experiment.tokens().frozen() == null && experiment.tokens().weights() == null) {
        distinct = List.of(only);
        dynamics = Collections.nCopies(starts, only);
      } else {
        Dynamics[] each = new Dynamics[starts];
        Arrays.setAll(each, r -> withRoles(only, r));
        keep(each);
      }
      return;
    }
    int models = 1;
    for (int size : sizes) {
      models *= size;
    }
    TokensSpec[] points = new TokensSpec[models];
    ModelSpec[] specs = new ModelSpec[models];
    int[] index = new int[sizes.length];
    for (int m = 0; m < models; m++) {
      int rest = m;
      for (int a = sizes.length - 1; a >= 0; a--) {
        index[a] = rest % sizes[a];
        rest /= sizes[a];
      }
      Experiment point = swept.at(index);
      specs[m] = point.model();
      Init init = point.tokens().init();
      points[m] =
          new TokensSpec(
              experiment.tokens().n(),
              experiment.tokens().d(),
              starts,
              init instanceof Init.Npy ? experiment.tokens().init() : init,
              point.tokens().frozen(),
              point.tokens().weights());
    }
    tokens = points;
    Dynamics[] each = new Dynamics[sweep.points() * starts];
    for (int r = 0; r < each.length; r++) {
      each[r] = withRoles(source.of(specs[model(r)], seed(r)), r);
    }
    keep(each);
  }

  private void keep(Dynamics[] each) {
    Set<Dynamics> once = Collections.newSetFromMap(new IdentityHashMap<>());
    distinct = Arrays.stream(each).filter(once::add).toList();
    dynamics = List.of(each);
  }

  /** The swept parameters of each replica by key, the seed apart. */
  List<Map<String, Object>> parameters(int count) {
    return new AbstractList<>() {
      @Override
      public Map<String, Object> get(int r) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int a = 0; a < sizes.length; a++) {
          if (a != seedAxis) {
            SweepSpec.Axis axis = sweep.axes().get(a);
            values.put(axis.key(), axis.values().at(sweep.index(a, r / starts)));
          }
        }
        return values;
      }

      @Override
      public int size() {
        return count;
      }
    };
  }
}
