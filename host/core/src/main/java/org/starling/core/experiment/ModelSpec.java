package org.starling.core.experiment;

import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/**
 * The block {@code model} of an experiment.
 *
 * @param beta inverse temperature, before the score scale
 * @param layerTime duration of a layer, &gt; 0
 * @param interaction the user's own score, or null
 * @param noise noise added to the motion, or null
 */
public record ModelSpec(
    Geometry geometry,
    Mask mask,
    Normalisation normalisation,
    double beta,
    int heads,
    ScoreScale scoreScale,
    double layerTime,
    WeightSpec q,
    WeightSpec k,
    WeightSpec v,
    InteractionSpec interaction,
    NoiseSpec noise) {

  /** Factor on the scores besides beta. */
  public enum ScoreScale {
    NONE,
    /** 1/sqrt(d) with d the dimension of the tokens. */
    INV_SQRT_D
  }

  /**
   * A user's own interaction.
   *
   * @param className fully qualified name
   * @param classpath jar, folder of classes or .java file that has it; null for the class path of
   *     the running program
   */
  public record InteractionSpec(String className, InputFile classpath) {}
}
