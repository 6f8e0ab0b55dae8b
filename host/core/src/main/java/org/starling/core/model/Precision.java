package org.starling.core.model;

/** Arithmetic of scores, accumulation and state. */
public enum Precision {
  /** float32 throughout. */
  SINGLE,
  /** float32 scores and velocities; the state is a float32 value plus a float32 correction. */
  MIXED,
  /** float64 throughout; needs fp64 on the device and is never downgraded. */
  DOUBLE
}
