package org.starling.core.integrate;

import java.util.List;
import org.starling.core.engine.Watch;

/**
 * Where {@link Integrator#advance} leaves a replica alone although it could go on. Every step is
 * judged by the same expressions as a caller of {@link Integrator#attempt} would use.
 *
 * @param reach after a step that ends at or after this time
 * @param before before a step with {@code time + stepSize >= before}; infinite for no such limit
 * @param watches after a step to a state where one of these may hold
 * @param multiples after a step whose number is a multiple of one of these, each &gt;= 1
 */
public record Pause(double reach, double before, List<Watch> watches, long... multiples) {
  /** A pause that waits for no condition. */
  public Pause(double reach, double before, long... multiples) {
    this(reach, before, List.of(), multiples);
  }

  public Pause {
    watches = List.copyOf(watches);
    for (long m : multiples) {
      if (m < 1) {
        throw new IllegalArgumentException("steps cannot be multiples of " + m);
      }
    }
  }

  /** Steps after which a replica that has made so many pauses at the latest. */
  long stepsLeft(long made) {
    long left = Long.MAX_VALUE;
    for (long m : multiples) {
      left = Math.min(left, m - made % m);
    }
    return left;
  }
}
