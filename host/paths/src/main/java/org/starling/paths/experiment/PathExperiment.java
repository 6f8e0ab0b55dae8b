package org.starling.paths.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.starling.core.model.Precision;
import org.starling.core.paths.Readout;
import org.starling.paths.theory.PathNetwork;

/**
 * An experiment on attention paths, every default filled in.
 *
 * @param heads of every layer, the first one first
 * @param beta factor of every head's scores
 * @param hardmax instead of softmax
 * @param widths N_1 .. N_L
 * @param readoutWidth N_a
 * @param variances prior variances s_1^2 .. s_L^2
 * @param seed s: the seeds of the task and of random heads are raised by 1000003 s
 * @param starts of the optimiser
 * @param iterations of each, at most
 * @param sweep what is varied; empty lists where nothing is
 * @param device as in --device, or null
 * @param memory bytes that kept path-path kernels may take
 */
public record PathExperiment(
    TaskSpec task,
    List<List<HeadSpec>> heads,
    double beta,
    boolean hardmax,
    Readout readout,
    List<Integer> widths,
    int readoutWidth,
    double inputVariance,
    List<Double> variances,
    double readoutVariance,
    double temperature,
    long seed,
    int starts,
    int iterations,
    Sweep sweep,
    String device,
    Precision precision,
    long memory) {
  /** Distance between the random numbers of neighbouring seeds. */
  static final long SEED_STEP = 1000003;

  /**
   * Values to vary over; every list may be empty.
   *
   * @param widths each for all layers and the readout
   */
  public record Sweep(List<Integer> widths, List<Double> temperatures, List<Long> seeds) {
    public boolean isEmpty() {
      return widths.isEmpty() && temperatures.isEmpty() && seeds.isEmpty();
    }
  }

  /**
   * One network on one draw of the data.
   *
   * @param index from 0
   */
  public record Point(int index, long seed, PathNetwork network) {}

  /** The network without a sweep. */
  public PathNetwork network() {
    return new PathNetwork(
        heads.stream().map(List::size).toList(),
        widths,
        readoutWidth,
        inputVariance,
        variances,
        readoutVariance,
        temperature);
  }

  /** All points, seeds slowest, then temperatures, then widths. */
  public List<Point> points() {
    List<Point> all = new ArrayList<>();
    List<Long> seeds = sweep.seeds().isEmpty() ? List.of(seed) : sweep.seeds();
    List<Double> temperatures =
        sweep.temperatures().isEmpty() ? List.of(temperature) : sweep.temperatures();
    List<Integer> each =
        sweep.widths().isEmpty() ? Collections.singletonList(null) : sweep.widths();
    for (long s : seeds) {
      for (double t : temperatures) {
        for (Integer width : each) {
          PathNetwork n = network().withTemperature(t);
          all.add(new Point(all.size(), s, width == null ? n : n.withWidth(width)));
        }
      }
    }
    return all;
  }
}
