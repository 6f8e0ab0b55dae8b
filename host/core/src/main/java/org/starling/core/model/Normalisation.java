package org.starling.core.model;

/** How scores s_ij over the live keys j of a query i become weights w_ij. */
public enum Normalisation {
  /** w_ij = e^{s_ij} / sum_k e^{s_ik}. */
  SOFTMAX,
  /** w_ij = e^{s_ij} / (number of live keys of row i). */
  UNNORMALISED,
  /** w_ij = 1 for the largest s_ij, else 0; exact ties go to the lowest index. */
  HARDMAX
}
