package org.starling.core.experiment;

import java.util.Collection;

/** "Did you mean": the known word nearest to what was written. */
public final class Suggestion {
  private Suggestion() {}

  /** "; did you mean X?" or the empty text where nothing is near. */
  public static String forWord(String written, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String word : known) {
      int distance = distance(normal(written), normal(word));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = word;
      }
    }
    int near = Math.max(1, written.length() / 3);
    return best != null && bestDistance <= near ? "; did you mean " + best + "?" : "";
  }

  /** Case and the choice of separator are the commonest slips and should not count. */
  private static String normal(String word) {
    return word.length() == 1
        ? word
        : word.toLowerCase(java.util.Locale.ROOT).replace('_', '-').replace(' ', '-');
  }

  /** Edit distance in which swapping two neighbours counts once (optimal string alignment). */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1);
        best = Math.min(best, cost[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = best;
      }
    }
    return cost[a.length()][b.length()];
  }
}
