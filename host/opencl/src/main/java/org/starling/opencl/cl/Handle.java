package org.starling.opencl.cl;

/**
 * A driver object, opaque outside {@link ClApi}.
 *
 * @param kind what it is
 * @param label name for messages
 * @param raw the binding's object
 */
public record Handle(Kind kind, String label, Object raw) {
  /** Kinds of driver objects. */
  public enum Kind {
    PLATFORM,
    DEVICE,
    CONTEXT,
    QUEUE,
    PROGRAM,
    KERNEL,
    BUFFER,
    EVENT
  }

  // Two handles are the same only if they are one object: labels repeat.
  @Override
  public boolean equals(Object o) {
    return o == this;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + label;
  }
}
