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

  private static final String FIRST = "first token (index 0)";

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

  /**
   * Draws the legend, on as many lines as the width asks for.
   *
   * @param baseLine of the first line
   * @param right where a line must end
   */
  void legend(Graphics2D g, double left, double baseLine, double right) {
    Flow flow = new Flow(g, left, baseLine, right);
    if (byCluster()) {
      flow.text("cluster at " + when + ", tokens in it:");
      for (int k = 0; k < sizes.size(); k++) {
        flow.dot(Palette.hue(k), Integer.toString(sizes.get(k)));
      }
      if (rest > 0) {
        flow.dot(REST, rest + " in smaller ones");
      }
    } else {
      flow.text("token index  0");
      for (int k = 0; k < 60; k++) {
        g.setColor(Palette.map(0.93 * k / 59));
        g.fill(new Rectangle2D.Double(flow.at - 4 + 1.5 * k, flow.line - 5.2, 1.8, 5.6));
      }
      flow.at += 91;
      flow.text(Integer.toString(n - 1));
    }
    flow.at += 5;
    double place = flow.room(6, FIRST);
    Panel.firstToken(g, place, flow.line - 2.4, 2.2, colours[0]);
    flow.text(FIRST);
  }

  /** Puts items on a line, and begins a new one where the next does not fit. */
  private static final class Flow {
    private final Graphics2D g;
    private final double left;
    private final double right;
    private double at;
    private double line;

    Flow(Graphics2D g, double left, double line, double right) {
      this.g = g;
      this.left = left;
      this.right = right;
      this.at = left;
      this.line = line;
    }

    /** Makes room for a mark and its text; gives the place of the mark. */
    double room(double mark, String text) {
      if (at + mark + Panel.width(text, Panel.TEXT) > right && at > left) {
        at = left + 3;
        line += 11;
      }
      double place = at;
      at += mark;
      return place;
    }

    void text(String text) {
      Panel.text(g, text, Panel.TEXT, false, Palette.INK, at, line, 0);
      at += Panel.width(text, Panel.TEXT) + 8;
    }

    void dot(Color colour, String text) {
      double place = room(5, text);
      Panel.mark(g, place, line - 2.4, 2.4, colour);
      text(text);
    }
  }
}
