package org.starling.app.reproduce;

import java.util.Arrays;
import java.util.List;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.Claim.Over;

/** What one replica says of a statement about every start and every draw of the weights. */
public enum SeedVerdict {
  /** What the statement supposes does not hold there. */
  OUTSIDE,
  AGREES,
  /** It misses a range while its tokens still move too fast for the end to be final. */
  MOVING,
  DISAGREES;

  /** The word for people and files. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * Judges every replica of a run.
   *
   * @param given what the statement supposes
   * @param items what it says
   * @return R entries
   * @throws IllegalArgumentException if an item is about all seeds together
   */
  static SeedVerdict[] of(RunData data, List<Item> given, List<Item> items) {
    for (Item item : items) {
      if (!(item.over() instanceof Over.Each each) || each.atLeast() < 1) {
        throw new IllegalArgumentException(
            "a conjecture is judged seed by seed, and "
                + item.quantity().text()
                + " is asked of "
                + Judgement.words(item.over())
                + "; leave over: out");
      }
    }
    data.measure(given.stream().map(Item::quantity).toList());
    data.measure(items.stream().map(Item::quantity).toList());
    data.requireMeaning(given.stream().map(Item::quantity).toList());
    double[] speeds = data.lastSpeeds();
    Judgement judgement = new Judgement(data.parameters(), speeds);
    SeedVerdict[] all = new SeedVerdict[data.replicas()];
    Arrays.fill(all, AGREES);
    for (int r = 0; r < all.length; r++) {
      for (Item item : items) {
        if (judgement.misses(item, r, data.series(item.quantity()).get(r))) {
          boolean moves = speeds[r] > item.settled() || !data.complete();
          all[r] = moves && all[r] != DISAGREES ? MOVING : DISAGREES;
        }
      }
      for (Item item : given) {
        if (judgement.misses(item, r, data.series(item.quantity()).get(r))) {
          all[r] = OUTSIDE;
        }
      }
    }
    return all;
  }
}
