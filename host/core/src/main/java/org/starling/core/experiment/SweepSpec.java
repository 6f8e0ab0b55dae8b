package org.starling.core.experiment;

import java.util.List;

/**
 * The block {@code sweep} of an experiment: the replicas of a run are the product over its axes,
 * the first axis slowest.
 *
 * @param axes in the order of the file, at least one
 */
public record SweepSpec(List<Axis> axes) {
  /** More points than this are a slip in the experiment. */
  static final int MOST = 10_000_000;

  public SweepSpec {
    axes = List.copyOf(axes);
  }

  /**
   * One swept key.
   *
   * @param key its path in the file, e.g. {@code model.beta}
   */
  public record Axis(String key, Values values) {
    static final String SEED = "seed";

    /** Whether it is the experiment's seed. */
    public boolean isSeed() {
      return key.equals(SEED);
    }
  }

  /** The values of an axis: whole numbers are {@code Long}, all others {@code Double}. */
  public sealed interface Values {
    int size();

    /** Value number k, from 0. */
    Number at(int k);

    /** Numbers as listed. */
    record Listed(List<Number> numbers) implements Values {
      public Listed {
        numbers = List.copyOf(numbers);
      }

      @Override
      public int size() {
        return numbers.size();
      }

      @Override
      public Number at(int k) {
        return numbers.get(k);
      }
    }

    /** {@code count} equally spaced numbers, both ends included: from + k (to - from)/(count-1). */
    record Linear(double from, double to, int count) implements Values {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Number at(int k) {
        return k == count - 1 ? to : from + k * ((to - from) / (count - 1));
      }
    }

    /** {@code count} numbers spaced by equal ratios, both ends included. */
    record Geometric(double from, double to, int count) implements Values {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Number at(int k) {
        double ratio = StrictMath.log(to / from) / (count - 1);
        return k == 0 ? from : k == count - 1 ? to : from * StrictMath.exp(k * ratio);
      }
    }

    /** Powers of ten with {@code count} equally spaced exponents, both ends included. */
    record Powers(double from, double to, int count) implements Values {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Number at(int k) {
        return StrictMath.pow(10, new Linear(from, to, count).at(k).doubleValue());
      }
    }

    /** The whole numbers from, from + 1, ..., to - 1. */
    record Range(long from, long to) implements Values {
      @Override
      public int size() {
        return Math.toIntExact(to - from);
      }

      @Override
      public Number at(int k) {
        return from + k;
      }
    }
  }

  /** Number of points: the product of the axes' sizes. */
  public int points() {
    int points = 1;
    for (Axis axis : axes) {
      points = Math.multiplyExact(points, axis.values().size());
    }
    return points;
  }

  /** Number of the value that an axis has at a point. */
  public int index(int axis, int point) {
    int stride = 1;
    for (int a = axis + 1; a < axes.size(); a++) {
      stride *= axes.get(a).values().size();
    }
    return point / stride % axes.get(axis).values().size();
  }

  /** Number of the axis that sweeps the seed; -1 if none does. */
  public int seedAxis() {
    for (int a = 0; a < axes.size(); a++) {
      if (axes.get(a).isSeed()) {
        return a;
      }
    }
    return -1;
  }
}
