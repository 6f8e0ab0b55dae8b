package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.Shape;
import org.starling.core.experiment.ModelSpec.InteractionSpec;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.model.Ensemble;
import org.starling.core.model.Geometry;
import org.starling.core.store.NpyArray;
import org.starling.core.store.NpyHeader;

/** Reads an experiment's inputs and fills in what they decide. */
final class Resolver {
  /** Rows of a start file may miss the unit sphere by this much; they are then normalised. */
  private static final double UNIT = 1e-6;

  private final ExperimentFile file;
  private final Experiment experiment;
  private final Problems problems = new Problems();
  private final InputLoader loader = new InputLoader(problems);

  private double[] given;

  Resolver(ExperimentFile file) {
    this.file = file;
    this.experiment = file.experiment();
  }

  ResolvedExperiment resolve() {
    TokensSpec tokens = tokens();
    ModelSpec model = experiment.model();
    // Without d (an unreadable start file) nothing can be said about the weights' shapes.
    DynamicsSource source =
        tokens.d() == null ? null : new DynamicsSource(file, loader, tokens.d(), problems);
    if (source != null) {
      source.of(model, experiment.seed());
    }
    if (tokens.n() != null && tokens.d() != null) {
      String reason = FrozenTokens.refusal(tokens.frozen(), tokens.n(), tokens.d());
      if (reason != null) {
        problems.add(file.where("tokens.frozen"), "tokens.frozen " + reason);
      }
      if (tokens.weights() != null && tokens.weights().size() > tokens.n()) {
        problems.add(
            file.where("tokens.weights"), TokensReader.tooMany(tokens.weights(), tokens.n()));
      }
    }
    problems.throwIfAny();
    SweepSpec sweep = experiment.sweep();
    int points = sweep == null ? 1 : sweep.points();
    if ((long) points * tokens.replicas() > Integer.MAX_VALUE) {
      problems.add(
          file.where("tokens.replicas"),
          points
              + " points of the sweep with "
              + tokens.replicas()
              + " replicas each are more than "
              + Integer.MAX_VALUE);
    }
    problems.throwIfAny();
    Shape shape = new Shape(points * tokens.replicas(), tokens.n(), tokens.d());
    InteractionSpec interaction = model.interaction();
    ModelSpec resolved =
        new ModelSpec(
            model.geometry(),
            model.mask(),
            model.normalisation(),
            model.beta(),
            model.heads(),
            model.scoreScale(),
            model.layerTime(),
            digested(model.q(), shape.d()),
            digested(model.k(), shape.d()),
            digested(model.v(), shape.d()),
            interaction == null || interaction.classpath() == null
                ? interaction
                : new InteractionSpec(
                    interaction.className(), ClassSource.digested(interaction.classpath())),
            model.noise(),
            digested(model.feedForward(), shape.d()),
            model.sink(),
            model.slopes(),
            model.scheme());
    SaveSpec save = experiment.save();
    boolean trajectory = save.trajectory() == null ? shape.replicas() == 1 : save.trajectory();
    Experiment whole =
        new Experiment(
            resolved,
            tokens,
            experiment.integrator(),
            experiment.stop(),
            experiment.observe(),
            new SaveSpec(save.schedule(), trajectory),
            experiment.check(),
            experiment.seed(),
            sweep,
            experiment.execution());
    if (sweep != null) {
      requireKept(whole);
    }
    return new ResolvedExperiment(
        whole, shape, new Replicas(whole, file.swept(), source, given), given);
  }

  /**
   * A mask or a list of matrices may be written in a simpler form than it was read in, where the
   * path of a swept key may lead nowhere.
   */
  private void requireKept(Experiment whole) {
    String text = new ExperimentWriter(true).write(whole);
    Experiment again;
    try {
      // Names of files are absolute there, and any base will do.
      Path base = Path.of("").toAbsolutePath();
      again = ExperimentFile.parse("the resolved experiment", text, base, List.of()).experiment();
    } catch (ExperimentException e) {
      again = null;
    }
    if (!whole.equals(again)) {
      List<String> keys = whole.sweep().axes().stream().map(SweepSpec.Axis::key).toList();
      String key =
          keys.stream()
              .filter(k -> k.matches(".*\\.[0-9]+(\\..*)?"))
              .findFirst()
              .orElse(keys.get(0));
      problems.add(
          file.where(SweepKeys.SWEEP + "." + key),
          key
              + " cannot be swept in this form: a list of masks, or of one matrix, is written"
              + " otherwise in the run's directory; write one mask or matrix without a list, and"
              + " name the number in it");
      problems.throwIfAny();
    }
  }

  private TokensSpec tokens() {
    TokensSpec tokens = experiment.tokens();
    if (!(tokens.init() instanceof Init.Npy npy)) {
      return tokens;
    }
    Position at = file.where("tokens.init.file");
    NpyArray array = loader.npy(npy.file(), at);
    if (array == null) {
      return tokens;
    }
    int[] shape = array.shape();
    int rank = shape.length;
    String found = npy.file().path() + " has shape " + NpyHeader.text(shape);
    if ((rank != 2 && rank != 3) || array.size() == 0) {
      problems.add(at, found + ", a start needs [n][d] or [replicas][n][d]");
      return tokens;
    }
    int n = shape[rank - 2];
    int d = shape[rank - 1];
    int replicas = rank == 3 ? shape[0] : tokens.replicas() == null ? 1 : tokens.replicas();
    boolean fits =
        (tokens.n() == null || tokens.n() == n)
            && (tokens.d() == null || tokens.d() == d)
            && (tokens.replicas() == null || tokens.replicas() == replicas);
    if (!fits) {
      String wanted =
          (rank == 3 ? text(tokens.replicas(), "replicas") : "")
              + text(tokens.n(), "n")
              + text(tokens.d(), "d");
      problems.add(at, found + ", the experiment says " + wanted + " under tokens");
      return tokens;
    }
    given = array.doubles();
    if (experiment.model().geometry() == Geometry.SPHERE) {
      toSphere(n, d, found, at);
    }
    return new TokensSpec(
        n,
        d,
        replicas,
        new Init.Npy(loader.digested(npy.file())),
        tokens.frozen(),
        tokens.weights());
  }

  private static String text(Integer size, String name) {
    return "[" + (size == null ? name : size) + "]";
  }

  private void toSphere(int n, int d, String found, Position at) {
    for (int row = 0; row < given.length / d; row++) {
      double norm = InitialTokens.norm(given, row * d, d);
      if (!(Math.abs(norm - 1) <= UNIT)) {
        String token =
            given.length == n * d ? "token " + row : "token " + row % n + " of replica " + row / n;
        problems.add(
            at,
            found
                + " and "
                + token
                + " has norm "
                + norm
                + "; in the sphere geometry every token is a unit vector (normalise the rows)");
        return;
      }
      InitialTokens.normalise(given, row * d, d);
    }
  }

  private FeedForwardSpec digested(FeedForwardSpec term, int d) {
    return term == null
        ? null
        : new FeedForwardSpec(
            term.of(),
            term.activation(),
            digested(term.w1(), d),
            digested(term.w2(), d),
            term.bias());
  }

  private WeightSpec digested(WeightSpec spec, int d) {
    List<List<MatrixSpec>> layers = new ArrayList<>();
    for (List<MatrixSpec> heads : spec.layers()) {
      layers.add(heads.stream().map(m -> digested(m, d)).toList());
    }
    return new WeightSpec(layers, spec.perLayer());
  }

  private MatrixSpec digested(MatrixSpec matrix, int d) {
    if (matrix instanceof MatrixSpec.Npy npy) {
      return new MatrixSpec.Npy(loader.digested(npy.file()));
    }
    if (matrix instanceof MatrixSpec.SafeTensor t) {
      return new MatrixSpec.SafeTensor(loader.digested(t.file()), t.tensor());
    }
    if (matrix instanceof MatrixSpec.Random r
        && r.ensemble() == Ensemble.GAUSSIAN
        && r.std() == null) {
      return new MatrixSpec.Random(r.ensemble(), r.seed(), Ensemble.defaultDeviation(d), r.scale());
    }
    return matrix;
  }
}
