package org.starling.app.figures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A colour for each token, the same in all panels: that of the cluster where it ends, where there
 * are a few large ones, else of its index.
 */
final class TokenColours {
  /** Hues go to the largest clusters; they must hold this part of the tokens. */
  private static final double ENOUGH = 0.6;

  private static final Color REST = new Color(0xa0a0a0);

  private final int n;
  private final Color[] colours;
  private final List<Integer> sizes;
  private final int rest;
  private final String when;

  private TokenColours(int n, Color[] colours, List<Integer> sizes, int rest, String when) {
    this.n = n;
    this.colours = colours;
    this.sizes = sizes;
    this.rest = rest;
    this.when = when;
  }

  /**
   * @param labels cluster of each token in the last panel, or null if unknown
   * @param when time of the last panel, for the legend
   */
  static TokenColours of(int n, long[] labels, String when) {
    if (labels != null) {
      Map<Long, Integer> count = new HashMap<>();
      for (long label : labels) {
        count.merge(label, 1, Integer::sum);
      }
      List<Long> largest = new ArrayList<>(count.keySet());
      largest.sort(
          (a, b) -> {
            int bySize = Integer.compare(count.get(b), count.get(a));
            return bySize != 0 ? bySize : Long.compare(a, b);
          });
      largest = largest.subList(0, Math.min(Palette.hues(), largest.size()));
      int held = largest.stream().mapToInt(count::get).sum();
      if (count.size() > 1 && held >= ENOUGH * n) {
        Color[] colours = new Color[n];
        for (int i = 0; i < n; i++) {
          int k = largest.indexOf(labels[i]);
          colours[i] = k < 0 ? REST : Palette.hue(k);
        }
        return new TokenColours(
            n, colours, largest.stream().map(count::get).toList(), n - held, when);
      }
    }
    Color[] colours = new Color[n];
    for (int i = 0; i < n; i++) {
      // The pale end of the map is left out: yellow on white is hard to see.
      colours[i] = Palette.map(n == 1 ? 0 : 0.93 * i / (n - 1));
    }
    return new TokenColours(n, colours, List.of(), 0, when);
  }

  Color of(int token) {
    return colours[token];
  }

  /** Whether colours stand for clusters. */
  boolean byCluster() {
    return !sizes.isEmpty();
  }

  /** Draws the legend on one line. */
  void legend(Graphics2D g, double left, double baseLine) {
    double at = left;
    if (byCluster()) {
      at = say(g, "cluster at " + when + ", tokens in it:", at, baseLine) + 8;
      for (int k = 0; k < sizes.size(); k++) {
        Panel.mark(g, at, baseLine - 2.4, 2.4, Palette.hue(k));
        at = say(g, Integer.toString(sizes.get(k)), at + 5, baseLine) + 9;
      }
      if (rest > 0) {
        Panel.mark(g, at, baseLine - 2.4, 2.4, REST);
        at = say(g, rest + " in smaller ones", at + 5, baseLine) + 9;
      }
    } else {
      at = say(g, "token index  0", at, baseLine) + 4;
      for (int k = 0; k < 60; k++) {
        g.setColor(Palette.map(0.93 * k / 59));
        g.fill(new Rectangle2D.Double(at + 1.5 * k, baseLine - 5.2, 1.8, 5.6));
      }
      at = say(g, Integer.toString(n - 1), at + 95, baseLine) + 9;
    }
    at += 10;
    Panel.firstToken(g, at, baseLine - 2.4, 2.2, colours[0]);
    say(g, "first token (index 0)", at + 6, baseLine);
  }

  private static double say(Graphics2D g, String text, double at, double baseLine) {
    Panel.text(g, text, Panel.TEXT, false, Palette.INK, at, baseLine, 0);
    return at + Panel.width(text, Panel.TEXT);
  }
}
