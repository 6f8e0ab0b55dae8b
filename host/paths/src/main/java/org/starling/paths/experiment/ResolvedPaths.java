package org.starling.paths.experiment;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.InputFile;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.Sequences;
import org.starling.core.store.NpyArray;
import org.starling.core.store.Sha256;
import org.starling.core.store.StoreException;
import org.starling.paths.task.HiddenMarkovTask;
import org.starling.paths.task.LabelledSequences;

/** An experiment on attention paths with its files at hand. */
public final class ResolvedPaths {
  private final PathExperiment experiment;
  private final PathFiles files = new PathFiles();
  private final String text;
  private final String id;

  /**
   * @throws StoreException if a file cannot be read, is damaged or has changed
   */
  public ResolvedPaths(PathExperiment experiment) {
    this.experiment = experiment;
    text = PathWriter.text(experiment, files);
    id = Sha256.of(PathWriter.identity(experiment, files)).substring(0, 16);
  }

  /**
   * What is computed on.
   *
   * @param attention of the network
   * @param train examples
   * @param test examples
   */
  public record Data(PathAttention attention, LabelledSequences train, LabelledSequences test) {}

  public PathExperiment experiment() {
    return experiment;
  }

  /** The experiment with every default. */
  public String yaml() {
    return text;
  }

  /** Hash of everything but how it is executed. */
  public String id() {
    return id;
  }

  /** Draws or reads the data of a seed. */
  public Data data(long seed) {
    long shift = seed * PathExperiment.SEED_STEP;
    LabelledSequences train;
    LabelledSequences test;
    if (experiment.task() instanceof TaskSpec.HiddenMarkov m) {
      train = m.task().draw(m.train(), raised(m.trainSeed(), shift));
      test = m.task().draw(m.test(), raised(m.testSeed(), shift));
    } else {
      TaskSpec.Files f = (TaskSpec.Files) experiment.task();
      train = examples(f.trainX(), f.trainY());
      test = examples(f.testX(), f.testY());
      if (train.inputs().width() != test.inputs().width()) {
        throw bad(
            f.testX(),
            "its tokens have "
                + test.inputs().width()
                + " coordinates, those of the training examples "
                + train.inputs().width());
      }
    }
    return new Data(attention(train.inputs().width(), shift), train, test);
  }

  private static long raised(long seed, long shift) {
    return seed + shift & 0xffffffffL;
  }

  private LabelledSequences examples(InputFile x, InputFile y) {
    NpyArray inputs = files.array(x);
    int[] shape = inputs.shape();
    if (shape.length != 3 || shape[0] < 1 || shape[1] < 1 || shape[2] < 1) {
      throw bad(x, "inputs have a shape of three sizes, [examples][tokens][width]");
    }
    double[] labels = files.array(y).requireShape(shape[0]).doubles();
    return new LabelledSequences(
        new Sequences(shape[0], shape[1], shape[2], inputs.doubles()), labels);
  }

  private static StoreException bad(InputFile file, String why) {
    return new StoreException(StoreException.Kind.BAD_FILE, file.path() + ": " + why);
  }

  private PathAttention attention(int width, long shift) {
    List<List<double[]>> layers = new ArrayList<>();
    for (List<HeadSpec> heads : experiment.heads()) {
      List<double[]> layer = new ArrayList<>();
      for (HeadSpec head : heads) {
        layer.add(scores(head, width, shift));
      }
      layers.add(layer);
    }
    return new PathAttention(width, layers, experiment.hardmax(), experiment.readout());
  }

  private double[] scores(HeadSpec head, int width, long shift) {
    double beta = experiment.beta();
    if (head instanceof HeadSpec.Uniform) {
      return new double[width * width];
    }
    if (head instanceof HeadSpec.Good) {
      return markov().goodHead(beta);
    }
    if (head instanceof HeadSpec.Random r) {
      return markov().randomHead(beta, r.strength(), raised(r.seed(), shift));
    }
    if (head instanceof HeadSpec.Matrix m) {
      double[] w = files.array(m.w()).requireShape(width, width).doubles();
      for (int k = 0; k < w.length; k++) {
        w[k] *= beta;
      }
      return w;
    }
    return merged((HeadSpec.QueryKey) head, width, beta);
  }

  private HiddenMarkovTask markov() {
    return ((TaskSpec.HiddenMarkov) experiment.task()).task();
  }

  /** W = beta K^T Q / sqrt(G). */
  private double[] merged(HeadSpec.QueryKey head, int width, double beta) {
    NpyArray query = files.array(head.query());
    int[] shape = query.shape();
    if (shape.length != 2 || shape[0] < 1) {
      throw bad(head.query(), "a matrix of queries has the shape [G][" + width + "]");
    }
    double[] q = query.requireShape(shape[0], width).doubles();
    double[] k = files.array(head.key()).requireShape(shape[0], width).doubles();
    double scale = beta / Math.sqrt(shape[0]);
    double[] w = new double[width * width];
    for (int g = 0; g < shape[0]; g++) {
      for (int i = 0; i < width; i++) {
        double e = scale * k[g * width + i];
        for (int j = 0; j < width; j++) {
          w[i * width + j] += e * q[g * width + j];
        }
      }
    }
    return w;
  }
}
