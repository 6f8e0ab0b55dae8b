package org.starling.app.figures;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.app.figures.RunFiles.Series;

/** Every other scalar that the run reports, against time. */
final class ObservablesFigure implements Figure {
  private static final double TALL = 96;
  private static final double PITCH = TALL + 40;
  private static final double LEFT = 48;

  /**
   * Scalars of one observable.
   *
   * @param names of the scalars, each what its name adds to the observable's ("" for nothing)
   */
  private record Group(String observable, Map<String, Series> names) {
    /** Smallest, mean and largest over tokens make one band with a line. */
    boolean spread() {
      return names.keySet().containsAll(List.of("min", "mean", "max"));
    }
  }

  @Override
  public String name() {
    return "observables";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    List<Group> groups = groups(run);
    if (groups.isEmpty()) {
      throw new MissingData(
          "no observables but those of the other figures were asked for; add e.g."
              + " order-parameter or effective-rank to observe: in the experiment");
    }
    Axis time = run.timeAxis();
    double[] t = run.times();
    int columns = groups.size() == 1 || options.widthInches() * 72 < TokenPanels.NARROW ? 1 : 2;
    int rows = (groups.size() + columns - 1) / columns;
    return new Drawing(
        "Observables"
            + (run.replicas() > 1
                ? ": mean over replicas, band from smallest to largest"
                : groups.stream().anyMatch(Group::spread)
                    ? "; bands: smallest to largest over tokens"
                    : ""),
        rows * PITCH,
        (g, width) -> {
          double wide = (width - columns * LEFT - 14) / columns;
          for (int k = 0; k < groups.size(); k++) {
            Group group = groups.get(k);
            Rectangle2D box =
                new Rectangle2D.Double(
                    LEFT + k % columns * (wide + LEFT), 14 + k / columns * PITCH, wide, TALL);
            Panel panel = new Panel(g, box, time, values(group));
            panel.title(group.observable());
            curves(panel, group, t);
            if (!group.spread() && group.names().size() > 1) {
              int line = 0;
              for (String name : group.names().keySet()) {
                Panel.text(
                    g,
                    name,
                    Panel.SMALL,
                    false,
                    Palette.hue(line),
                    box.getMaxX() - 5,
                    box.getY() + 10 + 9 * line,
                    1);
                line++;
              }
            }
            panel.axes();
          }
        },
        List.of(ScalarsFigure.table(run, t, names(run)).file("")));
  }

  private static List<String> names(RunFiles run) {
    return run.scalars().stream()
        .filter(s -> !s.matches("(energy|clusters)(-.*)?|inner-products-(min|mean|max)"))
        .toList();
  }

  private static List<Group> groups(RunFiles run) {
    Map<String, Map<String, Series>> all = new LinkedHashMap<>();
    for (String name : names(run)) {
      String part = name.replaceFirst(".*-(min|mean|max)$", "$1");
      boolean whole = part.equals(name);
      String observable = whole ? name : name.substring(0, name.length() - part.length() - 1);
      all.computeIfAbsent(observable, o -> new LinkedHashMap<>())
          .put(whole ? "" : part, run.series(name));
    }
    List<Group> groups = new ArrayList<>();
    all.forEach((observable, names) -> groups.add(new Group(observable, names)));
    return groups;
  }

  private static Axis values(Group group) {
    List<double[]> all = new ArrayList<>();
    for (Series s : group.names().values()) {
      all.add(s.min());
      all.add(s.max());
    }
    return Axis.fitting("", 1000, all);
  }

  private static void curves(Panel panel, Group group, double[] t) {
    if (group.spread()) {
      Color colour = Palette.hue(0);
      panel.band(
          t,
          group.names().get("min").min(),
          group.names().get("max").max(),
          Palette.pale(colour, 0.75));
      panel.line(t, group.names().get("mean").mean(), colour, 1.2f);
      return;
    }
    // All bands before all lines: a band must not hide the line of another.
    int band = 0;
    for (Series s : group.names().values()) {
      Color colour = Palette.hue(band++ % Palette.hues());
      if (!s.single()) {
        panel.band(t, s.min(), s.max(), Palette.pale(colour, 0.75));
      }
    }
    int line = 0;
    for (Series s : group.names().values()) {
      panel.line(t, s.mean(), Palette.hue(line++ % Palette.hues()), 1.2f);
    }
  }
}
