package org.starling.core.experiment;

import java.util.List;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Scheme;

/**
 * The block {@code model} of an experiment.
 *
 * @param beta inverse temperature, before the score scale
 * @param layerTime duration of a layer, &gt; 0
 * @param interaction the user's own score, or null
 * @param noise noise added to the motion, or null
 * @param sink one more key that all see, or null
 * @param slopes an alibi slope for each head; null where the mask's is that of all
 * @param feedForward a feed-forward term, or null
 * @param scheme where tokens are normalised; POST where nothing is said
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
    NoiseSpec noise,
    FeedForwardSpec feedForward,
    SinkSpec sink,
    List<Double> slopes,
    Scheme scheme) {
  public ModelSpec {
    slopes = slopes == null ? null : List.copyOf(slopes);
  }

  /**
   * A sink.
   *
   * @param place where it stands, {@code [d]}; null at 0
   */
  public record SinkSpec(double score, List<Double> place) {
    public SinkSpec {
      place = place == null ? null : List.copyOf(place);
    }
  }

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
