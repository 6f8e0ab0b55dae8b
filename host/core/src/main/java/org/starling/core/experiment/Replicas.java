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

  private List<Dynamics> dynamics;
  private List<Dynamics> distinct;
  private Init[] inits;

  /**
   * @param swept null where there is no sweep
   */
  Replicas(Experiment experiment, SweptFile swept, DynamicsSource source) {
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
    return inits[model(replica)];
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
    if (dynamics != null) {
      return;
    }
    if (sweep == null) {
      inits = new Init[] {experiment.tokens().init()};
      Dynamics only = source.of(experiment.model(), experiment.seed());
      distinct = List.of(only);
      dynamics = Collections.nCopies(starts, only);
      return;
    }
    int models = 1;
    for (int size : sizes) {
      models *= size;
    }
    inits = new Init[models];
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
      inits[m] = init instanceof Init.Npy ? experiment.tokens().init() : init;
    }
    Dynamics[] each = new Dynamics[sweep.points() * starts];
    for (int r = 0; r < each.length; r++) {
      each[r] = source.of(specs[model(r)], seed(r));
    }
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
