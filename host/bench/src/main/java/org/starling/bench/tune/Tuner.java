package org.starling.bench.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.starling.bench.PassTimes;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Shape;
import org.starling.core.engine.TileChoices;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * Times the candidates that an engine names for a dimension, all in turn, and chooses. The shipped
 * tiles stay unless another is faster by more than repetitions differ.
 */
public final class Tuner {
  /** A candidate is taken for less than this part of the shipped one's time. */
  static final double BETTER = 0.97;

  /** A pass should take so long, or timing would be all noise. */
  private static final double PASS_SECONDS = 0.012;

  private static final int FEWEST_TOKENS = 1024;
  private static final int MOST_TOKENS = 16384;
  private static final int REPETITIONS = 5;

  private final Opener opener;
  private final Consumer<String> progress;

  /** Opens an engine on the device to be tuned; the caller closes it. */
  public interface Opener {
    Engine open(EngineOptions options);
  }

  /**
   * @param progress told in a few words what is being measured
   */
  public Tuner(Opener opener, Consumer<String> progress) {
    this.opener = opener;
    this.progress = progress;
  }

  /**
   * Full and causal mask for a dimension.
   *
   * @return two entries; none where the engine has no tiles for this dimension
   */
  public List<Tuned> tune(Precision precision, int d) {
    List<String> candidates;
    int n;
    try (Engine shipped = opener.open(EngineOptions.of(precision))) {
      candidates = shipped instanceof TileChoices choices ? choices.tileCandidates(d) : List.of();
      if (candidates.isEmpty()) {
        return List.of();
      }
      n = tokens(shipped, d);
    }
    progress.accept(
        precision.name().toLowerCase(java.util.Locale.ROOT)
            + ", d = "
            + d
            + ", n = "
            + n
            + ": "
            + candidates.size()
            + " candidates");
    List<Engine> engines = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    try {
      for (String tiles : candidates) {
        refusals.add(open(engines, precision, tiles, new Shape(1, n, d)));
      }
      if (!refusals.get(0).isEmpty()) {
        throw new EngineException(
            EngineException.Kind.DEVICE_FAILURE,
            "the shipped tile sizes cannot be run here: " + refusals.get(0));
      }
      List<Tuned> found = new ArrayList<>();
      for (boolean causal : new boolean[] {false, true}) {
        found.add(measure(engines, precision, causal, d, n, candidates, refusals));
      }
      return found;
    } finally {
      engines.forEach(Engine::close);
    }
  }

  /** Adds the candidate's engine if it can compute this shape; else returns why not. */
  private String open(List<Engine> engines, Precision precision, String tiles, Shape shape) {
    Engine engine = null;
    try {
      engine = opener.open(new EngineOptions(precision, Map.of(TileChoices.SETTING, tiles)));
      PassTimes.once(engine, shape, Mask.FULL);
      engines.add(engine);
      return "";
    } catch (EngineException e) {
      if (engine != null) {
        engine.close();
      }
      return e.getMessage();
    }
  }

  private Tuned measure(
      List<Engine> engines,
      Precision precision,
      boolean causal,
      int d,
      int n,
      List<String> candidates,
      List<String> refusals) {
    double[][] seconds =
        PassTimes.interleaved(
            engines, new Shape(1, n, d), causal ? Mask.CAUSAL : Mask.FULL, REPETITIONS);
    List<Tuned.Candidate> tried = new ArrayList<>();
    int at = 0;
    for (int c = 0; c < candidates.size(); c++) {
      boolean ran = refusals.get(c).isEmpty();
      double[] own = ran ? seconds[at++] : new double[0];
      tried.add(candidate(candidates.get(c), own, seconds[0], refusals.get(c)));
    }
    return new Tuned(precision, causal, d, n, choose(tried), tried);
  }

  private static Tuned.Candidate candidate(
      String tiles, double[] own, double[] shipped, String remark) {
    double[] ratio = new double[own.length];
    for (int r = 0; r < own.length; r++) {
      ratio[r] = own[r] / shipped[r];
    }
    return new Tuned.Candidate(
        tiles,
        org.starling.bench.Statistics.median(own),
        org.starling.bench.Statistics.median(ratio),
        remark);
  }

  /** The fastest, if it beats the shipped one clearly. */
  static String choose(List<Tuned.Candidate> tried) {
    Tuned.Candidate best = tried.get(0);
    double least = BETTER;
    for (Tuned.Candidate c : tried) {
      if (c.ofShipped() < least) {
        least = c.ofShipped();
        best = c;
      }
    }
    return best.tiles();
  }

  private static int tokens(Engine engine, int d) {
    int n = FEWEST_TOKENS;
    while (n < MOST_TOKENS
        && PassTimes.once(engine, new Shape(1, n, d), Mask.FULL) < PASS_SECONDS) {
      n *= 2;
    }
    return n;
  }
}
