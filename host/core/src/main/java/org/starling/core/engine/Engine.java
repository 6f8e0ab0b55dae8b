package org.starling.core.engine;

import java.util.List;
import java.util.Optional;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;

/**
 * Computes attention on one device. Integrators, observers and checkpoints are written once over
 * this contract; only scalars travel to the host between steps.
 *
 * <p>Conventions. Arrays are row-major {@code [replica][token][coordinate]}. {@code layers} has R
 * entries (one object may repeat; engines batch replicas that share it). {@code active} has R
 * entries: an inactive replica is neither read nor written, and its result entries are 0. Results
 * are deterministic: the same calls on the same device give the same bits. Not thread-safe. States
 * and fields of another engine are refused.
 *
 * <p>For masks with a causal part, row i of {@link #attend} and {@link #velocity} is bitwise
 * independent of the tokens after its last live key and of n.
 */
public interface Engine extends AutoCloseable {
  Precision precision();

  EngineIdentity identity();

  /** How keys and values are kept. */
  default Storage storage() {
    return Storage.FULL;
  }

  /**
   * Refuses what this engine cannot compute, before anything is allocated.
   *
   * @throws EngineException of kind REQUEST with the reason
   */
  void check(Shape shape, List<Layer> layers);

  /**
   * The memory that {@code states} states and {@code fields} fields of this shape, and one velocity
   * evaluation of these layers, will use together.
   */
  MemoryPlan plan(Shape shape, List<Layer> layers, int states, int fields);

  /** The same for a run that never asks for an observable over pairs of tokens. */
  default MemoryPlan planWithoutPairs(Shape shape, List<Layer> layers, int states, int fields) {
    return plan(shape, layers, states, fields);
  }

  State allocateState(Shape shape);

  Field allocateField(Shape shape);

  /**
   * Positions from float64, rounded to the engine's state precision (mixed: value + correction).
   */
  void upload(State x, double[] positions);

  /** Positions as float64; exact for what the state holds (mixed: value + correction). */
  double[] download(State x);

  double[] download(Field v);

  /** A field from float64, rounded to the working precision. */
  void upload(Field v, double[] values);

  /**
   * Exact bytes of a state for a checkpoint, little-endian; {@link #restore} gives back the same
   * state bit for bit.
   */
  byte[] snapshot(State x);

  void restore(State x, byte[] snapshot);

  /**
   * Raw attention output: u_i = sum_h sum_j w^h_ij V^h x_j, self term included; 0 for a {@link
   * Layer#frozen} token. Adds to the {@link #takeReport report}; need not wait for the device.
   */
  void attend(State x, Layer[] layers, boolean[] active, Field u);

  /**
   * Right-hand side of the dynamics, cancellation-safe: the sum over j != i and the self term are
   * kept apart (or differences x_j - x_i are accumulated), so that an exponentially small velocity
   * keeps its digits; 0 for a {@link Layer#frozen} token. Adds to the {@link #takeReport report};
   * need not wait for the device.
   */
  void velocity(State x, Layer[] layers, boolean[] active, Field v);

  /**
   * Whether the sums over keys of such a layer are formed by a series instead of pair by pair; a
   * function of what is passed and of how the engine was opened.
   */
  default boolean expands(Shape shape, Layer layer) {
    return false;
  }

  /** How the sums over keys of all evaluations so far were formed. */
  default SummationReport summation() {
    return SummationReport.PAIRS;
  }

  /**
   * What all evaluations since the last call of this method, or of {@link #dropReport}, reported
   * together; waits for them.
   */
  FieldReport takeReport();

  /** Forgets what was reported so far, without waiting for the device. */
  void dropReport();

  /**
   * out_r = x_r + sum_m coefficients[m][r] k_m,r for active replicas, evaluated in the order given;
   * mixed: compensated. {@code out} may be {@code x}. At most 6 fields; with none it is an exact
   * copy (mixed: of value and correction).
   */
  void combine(State out, State x, double[][] coefficients, Field[] k, boolean[] active);

  /**
   * Two combinations of one field: out_r = x_r + c[r] k_r and also_r = y_r + e[r] k_r, with the
   * bits of two calls of {@link #combine}. {@code out} and {@code also} are two states; {@code x}
   * and {@code y} may be one, and {@code also} may be {@code y}; {@code out} is neither.
   */
  default void combineBoth(
      State out, State x, double[] c, State also, State y, double[] e, Field k, boolean[] active) {
    combine(out, x, new double[][] {c}, new Field[] {k}, active);
    combine(also, y, new double[][] {e}, new Field[] {k}, active);
  }

  /**
   * Noise: out_i = out_i + scale[r] y_i for the tokens of active replicas, where y_i = P_{x_i} xi_i
   * if {@code tangent} (P_x y = y - (&lt;y, x&gt; / |x|^2) x), else xi_i; coordinate c of xi_i is
   * {@code streams[r].gaussian(step[r], i, c)}, from the same random words on every engine, within
   * a few units of the working precision relative to the length of its pair of coordinates. mixed:
   * compensated. {@code out} is not {@code x}. The noise of a token depends on no other token, nor
   * on n.
   *
   * @param streams one per replica
   * @param step number of the step of each replica
   * @param scale per replica
   */
  void addNoise(
      State out,
      State x,
      Philox[] streams,
      long[] step,
      double[] scale,
      boolean tangent,
      boolean[] active);

  /**
   * Back onto the unit sphere: out_i = x_i / |x_i|. A token of norm 0 or non-finite becomes NaN.
   * {@code out} may be {@code x}.
   */
  void retract(State out, State x, boolean[] active);

  /** {@link #retract(State, State, boolean[])} in place. */
  default void retract(State x, boolean[] active) {
    retract(x, x, active);
  }

  /**
   * Per replica: max over tokens i of |sum_m coefficients[m][r] k_m,i| / (atol + rtol max(|x_i|,
   * |y_i|)), Euclidean norms. NaN where any entry of x, y or k is not finite. At most 6 fields.
   */
  double[] errorNorm(
      State x,
      State y,
      double[][] coefficients,
      Field[] k,
      double atol,
      double rtol,
      boolean[] active);

  /** Per replica: the largest |v_i| and its token. NaN speed with the first such token if any. */
  Extreme[] largest(Field v, boolean[] active);

  /**
   * Per replica: the largest distance of a token from the leader of its group.
   *
   * @param keys groups of each replica's tokens; null for a replica without, whose distance is 0
   */
  default double[] keyShift(State x, MergedKeys[] keys) {
    Shape shape = x.shape();
    Requests.merged(shape, keys);
    double[] positions = download(x);
    double[] shift = new double[keys.length];
    for (int r = 0; r < shift.length; r++) {
      int at = r * shape.n() * shape.d();
      shift[r] = keys[r] == null ? 0 : keys[r].shift(positions, at, shape.d());
    }
    return shift;
  }

  /** An extreme value and the token where it is attained. */
  record Extreme(double value, int token) {}

  /** Whole steps of small replicas, where this engine makes them. */
  default Optional<WholeSteps> wholeSteps() {
    return Optional.empty();
  }

  /** Measurements on states of this engine. */
  Observations observations();

  /** Waits for all queued work. */
  void finish();

  @Override
  void close();
}
