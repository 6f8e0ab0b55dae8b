package org.starling.core.experiment;

/**
 * The block {@code integrator} of an experiment.
 *
 * @param dt step of the fixed-step methods; first step that dopri5 tries, null to let it choose;
 *     not used by {@code layers}, whose step is one layer
 * @param rtol relative tolerance a step, dopri5 only (null otherwise)
 * @param atol absolute tolerance a step, dopri5 only (null otherwise)
 * @param maxSteps accepted and rejected steps of a replica after which it is given up
 */
public record SteppingSpec(Method method, Double dt, Double rtol, Double atol, long maxSteps) {
  /** Integration methods. */
  public enum Method {
    EULER,
    HEUN,
    RK4,
    DOPRI5,
    LAYERS;

    /** True where the step is given rather than chosen. */
    public boolean fixedStep() {
      return this == EULER || this == HEUN || this == RK4;
    }
  }
}
