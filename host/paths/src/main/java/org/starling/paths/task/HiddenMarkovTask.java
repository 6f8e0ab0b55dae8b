package org.starling.paths.task;

import org.starling.core.paths.Sequences;

/**
 * Two hidden Markov chains to be told apart: the states +1 and -1 stay with a probability that
 * depends on the class, and are seen as one of two orthogonal feature vectors in noise. The first
 * token is zero but for its position; positions are one-hot (Tiberi et al. 2024, science/paths.md
 * 2.5).
 *
 * @param features coordinates of a feature vector, even; |v|^2 = features
 * @param tokens observed tokens, without the one that marks the beginning
 * @param stay probability to keep the state in the class of label +1; 1 - stay in the other
 * @param noise strength of the noise outside the plane of the two feature vectors
 * @param inPlane strength within it
 */
public record HiddenMarkovTask(
    int features, int tokens, double stay, double noise, double inPlane) {
  public HiddenMarkovTask {
    if (features < 2 || features % 2 != 0 || tokens < 1 || !(stay >= 0 && stay <= 1)) {
      throw new IllegalArgumentException(
          "features " + features + ", tokens " + tokens + ", stay " + stay);
    }
  }

  /** The task of the paper. */
  public static HiddenMarkovTask standard(double noise) {
    return new HiddenMarkovTask(200, 30, 0.7, noise, 1);
  }

  /** Tokens with the first one. */
  public int length() {
    return tokens + 1;
  }

  /** Coordinates of a token: features, then positions. */
  public int width() {
    return features + length();
  }

  /** States of the chains, {@code [count][tokens]}, the first half of the class of label +1. */
  public int[] states(int count, MersenneTwister random) {
    int[] states = new int[count * tokens];
    for (int a = 0; a < count; a++) {
      double keep = a < count / 2 ? stay : 1 - stay;
      int state = random.uniform() >= 0.5 ? 1 : -1;
      states[a * tokens] = state;
      for (int t = 1; t < tokens; t++) {
        state = random.uniform() < keep ? state : -state;
        states[a * tokens + t] = state;
      }
    }
    return states;
  }

  /**
   * Draws examples.
   *
   * @param count even; the first half has the label +1
   */
  public LabelledSequences draw(int count, long seed) {
    MersenneTwister random = new MersenneTwister(seed);
    int[] states = states(count, random);
    double[] eta = random.normal(Math.multiplyExact(Math.multiplyExact(count, features), tokens));
    int length = length();
    int width = width();
    double[] x = new double[Math.multiplyExact(count * length, width)];
    double[] labels = new double[count];
    int half = features / 2;
    double height = Math.sqrt(2);
    for (int a = 0; a < count; a++) {
      labels[a] = a < count / 2 ? 1 : -1;
      for (int t = 0; t < length; t++) {
        int row = (a * length + t) * width;
        x[row + features + t] = 1;
        if (t == 0) {
          continue;
        }
        double first = 0;
        double second = 0;
        for (int i = 0; i < half; i++) {
          first += eta[(a * features + i) * tokens + t - 1];
          second += eta[(a * features + half + i) * tokens + t - 1];
        }
        int state = states[a * tokens + t - 1];
        for (int i = 0; i < features; i++) {
          // The plane of the two vectors holds the mean over each half of the coordinates.
          double mean = (i < half ? first : second) / half;
          double rest = eta[(a * features + i) * tokens + t - 1] - mean;
          boolean on = state > 0 == i < half;
          x[row + i] = (on ? height : 0) + inPlane * mean + noise * rest;
        }
      }
    }
    return new LabelledSequences(new Sequences(count, length, width, x), labels);
  }

  /** A head that looks at the token before if its state is the query's, else at the first token. */
  public double[] goodHead(double beta) {
    double[] w = new double[width() * width()];
    int half = features / 2;
    double q = Math.sqrt(2) / features;
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        w[i * width() + j] = beta * ((i < half) == (j < half) ? q * q : -q * q);
      }
    }
    for (int t = 1; t < length(); t++) {
      w[features * width() + features + t] = beta * 1.5;
      if (t >= 2) {
        w[(features + t - 1) * width() + features + t] = beta;
      }
    }
    return w;
  }

  /** A head that weighs all tokens alike. */
  public double[] uniformHead() {
    return new double[width() * width()];
  }

  /** A head of Gaussian entries. */
  public double[] randomHead(double beta, double strength, long seed) {
    MersenneTwister random = new MersenneTwister(seed);
    int length = length();
    int width = width();
    double[] feature = random.normal(features * features);
    double[] position = random.normal(length * length);
    double[] cross = random.normal(width * width);
    double[] w = new double[width * width];
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        double e;
        if (i < features && j < features) {
          e = feature[i * features + j] / features;
        } else if (i >= features && j >= features) {
          e = position[(i - features) * length + j - features];
        } else {
          e = cross[i * width + j] / Math.sqrt(features);
        }
        w[i * width + j] = beta * strength * e;
      }
    }
    return w;
  }
}
