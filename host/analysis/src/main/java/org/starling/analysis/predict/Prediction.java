package org.starling.analysis.predict;

/**
 * One thing that a statement says about a run.
 *
 * @param quantity short name, such as {@code rate}
 * @param text in words, with the number
 * @param value the number ({@link Double}, {@link Integer}), a vector ({@code double[]}) or indices
 *     ({@code int[]}); null where there is none
 */
public record Prediction(String quantity, String text, Object value) {}
