package org.starling.core.model;

import java.util.Objects;

/**
 * A feed-forward term y -> W2 sigma(W1 y + b), token by token: of the attention drift v_i itself,
 * as appended in the emergence paper, x_i' = W2 sigma(W1 v_i + b) (model R-FF); or of the tokens
 * beside attention, x_i' = v_i + W2 sigma(W1 x_i + b), on the sphere projected like attention.
 *
 * @param of what it is a function of
 * @param activation sigma, componentwise
 * @param in W1, {@code [d][d]}
 * @param bias b, {@code [d]}, or null
 * @param out W2, {@code [d][d]}
 */
public record FeedForward(Source of, Activation activation, Weight in, double[] bias, Weight out)
    implements TokenRule {
  /** What the term is a function of. */
  public enum Source {
    /** The attention drift, which it replaces. */
    ATTENTION,
    /** The token, beside attention. */
    TOKENS
  }

  /** The function of each component. */
  public enum Activation {
    RELU,
    TANH,
    IDENTITY;

    /** sigma(v); NaN stays NaN. */
    public double of(double v) {
      return switch (this) {
        case RELU -> v < 0 ? 0 : v;
        case TANH -> Math.tanh(v);
        case IDENTITY -> v;
      };
    }
  }

  public FeedForward {
    Objects.requireNonNull(of);
    Objects.requireNonNull(activation);
    if (in.rows() != in.columns() || out.rows() != in.rows() || out.columns() != in.rows()) {
      throw new IllegalArgumentException(
          "W1 and W2 of a feed-forward term must be square and of one size");
    }
    if (bias != null && bias.length != in.rows()) {
      throw new IllegalArgumentException(
          "the bias of a feed-forward term has " + bias.length + " entries for d = " + in.rows());
    }
  }

  /** The same term of tokens z with x = {@code forward} z, in those coordinates. */
  FeedForward carried(Weight forward, Weight backward) {
    return of == Source.ATTENTION
        ? this
        : new FeedForward(of, activation, in.times(forward), bias, backward.times(out));
  }

  @Override
  public boolean readsDirections() {
    return false;
  }

  /** W2 sigma(W1 y + b), {@code [d]}. */
  public double[] image(double[] y) {
    double[] hidden = times(in, y);
    for (int a = 0; a < hidden.length; a++) {
      hidden[a] = activation.of(hidden[a] + (bias == null ? 0 : bias[a]));
    }
    return times(out, hidden);
  }

  private static double[] times(Weight w, double[] y) {
    double[] z = new double[y.length];
    if (w instanceof Weight.Scalar s) {
      for (int a = 0; a < z.length; a++) {
        z[a] = s.c() * y[a];
      }
      return z;
    }
    if (w instanceof Weight.Diagonal g) {
      for (int a = 0; a < z.length; a++) {
        z[a] = g.entries()[a] * y[a];
      }
      return z;
    }
    double[] entries = ((Weight.Dense) w).entries();
    for (int a = 0; a < z.length; a++) {
      for (int c = 0; c < y.length; c++) {
        z[a] += entries[a * y.length + c] * y[c];
      }
    }
    return z;
  }
}
