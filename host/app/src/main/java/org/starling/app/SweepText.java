package org.starling.app;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.SweepSpec;

/** A sweep in words. */
final class SweepText {
  private SweepText() {}

  /** Each axis with its number of values and its first and last one, and the starts a point. */
  static String of(Experiment experiment) {
    List<String> parts = new ArrayList<>();
    for (SweepSpec.Axis axis : experiment.sweep().axes()) {
      SweepSpec.Values v = axis.values();
      parts.add(
          axis.key()
              + " "
              + RunSummary.number(v.at(0).doubleValue())
              + (v.size() == 1
                  ? ""
                  : (v.size() == 2 ? ", " : " ... ")
                      + RunSummary.number(v.at(v.size() - 1).doubleValue())
                      + " ("
                      + v.size()
                      + ")"));
    }
    if (experiment.tokens().replicas() > 1) {
      parts.add("starts (" + experiment.tokens().replicas() + ")");
    }
    return String.join(" x ", parts);
  }
}
