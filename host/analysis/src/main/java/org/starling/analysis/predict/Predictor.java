package org.starling.analysis.predict;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.Significant;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;

/** Holds every known statement against an experiment, before it is run. */
public final class Predictor {
  private static final double HORIZON_DOUBLE = 28;
  private static final double HORIZON_SINGLE = 12;
  private static final double FROZEN_DOUBLE = 36;
  private static final double FROZEN_SINGLE = 16;

  private Predictor() {}

  /** Every statement, those about other models too. */
  public static List<Judgement> judge(Situation s) {
    List<Judgement> all = new ArrayList<>();
    all.addAll(CausalStatements.of(s));
    all.addAll(CentreStatements.of(s));
    all.addAll(SphereStatements.of(s));
    all.addAll(NoiseStatements.of(s));
    all.addAll(SpaceStatements.of(s));
    return all;
  }

  /** Where numbers, not mathematics, end the run's meaning. */
  public static List<Prediction> limits(Situation s) {
    List<Prediction> limits = new ArrayList<>();
    boolean wide = s.experiment().experiment().execution().precision() != Precision.SINGLE;
    if (s.inSpace()) {
      double growth = s.spectrum().values().get(0).re();
      boolean single = s.experiment().experiment().execution().precision() != Precision.DOUBLE;
      double horizon = (single ? HORIZON_SINGLE : HORIZON_DOUBLE) / growth;
      if (growth > 0) {
        limits.add(
            new Prediction(
                "resolution-horizon",
                "beyond t = "
                    + Significant.of(horizon)
                    + " rounding decides the winner inside a cluster"
                    + s.against(horizon)
                    + "; the terminal law goes on from there",
                horizon));
      }
    } else if (s.pairBeta() > 0) {
      double exponent = wide ? FROZEN_DOUBLE : FROZEN_SINGLE;
      double cosine = 1 - exponent / s.pairBeta();
      if (cosine > -1) {
        limits.add(
            new Prediction(
                "frozen-angle",
                "clusters further apart than "
                    + Significant.of(Math.acos(cosine))
                    + " rad move by less in a step than "
                    + (wide ? "float64" : "float32")
                    + " positions resolve: beta (1 - cos) > "
                    + Significant.of(exponent),
                Math.acos(cosine)));
      }
      // Under V = lambda I > 0 alone do all clusters attract each other, at this speed by softmax.
      if (s.valueScalar() > 0 && s.normalisation() == Normalisation.SOFTMAX) {
        double reach = 1 - Math.log(Math.max(s.valueScalar() * s.end(), 1)) / s.pairBeta();
        limits.add(
            new Prediction(
                "merged-angle",
                reach > -1
                    ? "by the end clusters closer than about "
                        + Significant.of(Math.acos(reach))
                        + " rad have merged: beta (1 - cos) < ln(lambda t)"
                    : "by the end clusters at any angle have had time to merge:"
                        + " ln(lambda t) > 2 beta",
                reach > -1 ? Math.acos(reach) : Math.PI));
      }
    }
    return limits;
  }
}
