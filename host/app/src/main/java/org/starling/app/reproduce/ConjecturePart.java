package org.starling.app.reproduce;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.ClaimRun;

/**
 * One ensemble of a conjecture: its run, and the second look at what did not agree.
 *
 * @param name {@code run}, {@code control}, or that of a run beside
 * @param items what the statement says
 * @param first verdict of each replica
 * @param looked replicas looked at again, ascending, in the order of {@code second}
 * @param again the run of the second look, at half the step and for longer; null where there was
 *     none
 * @param second verdicts of the second look
 * @param files experiment files of what does not agree then, in the order of {@code second}; null
 *     for the others
 */
public record ConjecturePart(
    String name,
    RunData data,
    List<Item> items,
    SeedVerdict[] first,
    int[] looked,
    RunData again,
    int[] place,
    SeedVerdict[] second,
    Path[] files) {

  /** A part without a second look. */
  public static ConjecturePart of(String name, RunData data, List<Item> given, List<Item> items) {
    return new ConjecturePart(
        name,
        data,
        items,
        SeedVerdict.of(data, given, items),
        new int[0],
        null,
        new int[0],
        new SeedVerdict[0],
        new Path[0]);
  }

  /** Replicas that do not agree, at most so many. */
  public int[] open(int most) {
    List<Integer> all = new ArrayList<>();
    for (int r = 0; r < first.length && all.size() < most; r++) {
      if (first[r] == SeedVerdict.DISAGREES || first[r] == SeedVerdict.MOVING) {
        all.add(r);
      }
    }
    return all.stream().mapToInt(r -> r).toArray();
  }

  /**
   * With a second look.
   *
   * @param place replica of the second run for each that was looked at
   */
  public ConjecturePart looked(int[] looked, RunData again, int[] place) {
    SeedVerdict[] all = SeedVerdict.of(again, List.of(), items);
    SeedVerdict[] second = Arrays.stream(place).mapToObj(p -> all[p]).toArray(SeedVerdict[]::new);
    return new ConjecturePart(
        name, data, items, first, looked, again, place, second, new Path[looked.length]);
  }

  boolean control() {
    return name.equals(ClaimRun.CONTROL);
  }

  long count(SeedVerdict verdict) {
    return Arrays.stream(first).filter(v -> v == verdict).count();
  }

  long secondCount(SeedVerdict verdict) {
    return Arrays.stream(second).filter(v -> v == verdict).count();
  }

  /** Those that agree, at once or at the second look. */
  long agree() {
    return count(SeedVerdict.AGREES) + secondCount(SeedVerdict.AGREES);
  }

  /** Those that were not looked at again, for their number. */
  long unlooked() {
    return count(SeedVerdict.DISAGREES) + count(SeedVerdict.MOVING) - looked.length;
  }

  /** Those of which nothing can be said: they move still, or were not looked at again. */
  long undecided() {
    return secondCount(SeedVerdict.MOVING) + unlooked();
  }

  /** Those that disagree at the second look too. */
  long candidates() {
    return secondCount(SeedVerdict.DISAGREES);
  }

  /** Seed and swept parameters of a replica, in words. */
  public String words(int replica) {
    StringBuilder s = new StringBuilder("seed ").append(data.resolved().seed(replica));
    for (Map.Entry<String, Double> e : data.parameters().get(replica).entrySet()) {
      s.append(", ").append(e.getKey()).append(' ').append(Judgement.number(e.getValue()));
    }
    return s.toString();
  }

  /** What the first item that a replica misses measures there; of the first item if none. */
  static double measured(RunData data, List<Item> items, int replica) {
    Judgement judgement = new Judgement(data.parameters(), data.lastSpeeds());
    for (Item item : items) {
      Series series = data.series(item.quantity()).get(replica);
      if (judgement.misses(item, replica, series)) {
        return series.at(item.at());
      }
    }
    return data.series(items.get(0).quantity()).get(replica).at(items.get(0).at());
  }

  double measured(int replica) {
    return measured(data, items, replica);
  }

  double measuredAgain(int k) {
    return measured(again, items, place[k]);
  }

  double speedAgain(int k) {
    return again.lastSpeeds()[place[k]];
  }

  /**
   * With all disagreement absent among m that agree, its frequency is below this with a confidence
   * of 95 %: 1 - 0.05^(1/m).
   */
  double bound() {
    return 1 - Math.pow(0.05, 1.0 / agree());
  }
}
