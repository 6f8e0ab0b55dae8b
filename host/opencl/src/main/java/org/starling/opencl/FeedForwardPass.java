package org.starling.opencl;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Precision;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * The feed-forward term of a field, its weights kept on the device as long as they are the same.
 */
final class FeedForwardPass implements AutoCloseable {
  private final DeviceSession session;
  private final Precision precision;
  private final StateOperations states;
  private final Function<Shape, ClField> newField;
  private ClField hidden;
  private ClField image;
  private DeviceBuffer[] weights;
  private FeedForward known;

  FeedForwardPass(
      DeviceSession session,
      Precision precision,
      StateOperations states,
      Function<Shape, ClField> newField) {
    this.session = session;
    this.precision = precision;
    this.states = states;
    this.newField = newField;
  }

  static List<MemoryPlan.Item> buffers(Shape shape, Precision precision) {
    long real = Parts.realBytes(precision);
    return List.of(
        new MemoryPlan.Item("feed-forward term", 2, shape.size() * real),
        new MemoryPlan.Item("feed-forward weights", 2, (long) shape.d() * shape.d() * real),
        new MemoryPlan.Item("feed-forward bias", 2, shape.d() * real));
  }

  /**
   * Applies the term to a field of attention.
   *
   * @param tangent whether what is added is projected to the tangent of x
   */
  void apply(FeedForward term, ClState x, boolean[] which, boolean tangent, ClField v) {
    prepare(term, x.shape());
    boolean ofTokens = term.of() == FeedForward.Source.TOKENS;
    int kind =
        switch (term.activation()) {
          case IDENTITY -> 0;
          case RELU -> 1;
          case TANH -> 2;
        };
    DeviceBuffer from = ofTokens ? x.values() : v.values();
    states.mapTokens(hidden, from, weights[0], weights[1], kind, which);
    if (!ofTokens) {
      states.mapTokens(v, hidden.values(), weights[2], weights[3], 0, which);
      return;
    }
    states.mapTokens(image, hidden.values(), weights[2], weights[3], 0, which);
    states.addTokens(v, image, x, tangent, which);
  }

  private void prepare(FeedForward term, Shape shape) {
    int d = shape.d();
    if (hidden == null || !hidden.shape().equals(shape)) {
      close();
      hidden = newField.apply(shape);
      image = newField.apply(shape);
      weights = new DeviceBuffer[4];
      for (int k = 0; k < weights.length; k++) {
        long numbers = k % 2 == 0 ? (long) d * d : d;
        String name = k % 2 == 0 ? "feed-forward weights" : "feed-forward bias";
        weights[k] = session.allocate(name, numbers * Parts.realBytes(precision));
      }
    }
    if (!term.equals(known)) {
      double[] none = new double[d];
      write(weights[0], term.in().dense());
      write(weights[1], term.bias() == null ? none : term.bias());
      write(weights[2], term.out().dense());
      write(weights[3], none);
      known = term;
    }
  }

  private void write(DeviceBuffer to, double[] values) {
    new Transfers(precision).upload(values, to, null);
  }

  @Override
  public void close() {
    if (hidden != null) {
      hidden.close();
      hidden = null;
    }
    if (image != null) {
      image.close();
      image = null;
    }
    if (weights != null) {
      Arrays.stream(weights).filter(w -> w != null).forEach(DeviceBuffer::close);
      weights = null;
    }
    known = null;
  }
}
