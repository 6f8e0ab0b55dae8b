package org.starling.core.engine;

/**
 * An engine cannot do what was asked. The message says what was attempted, with numbers, the limit,
 * and one thing to do about it.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of refusal; decides the exit code. */
  public enum Kind {
    /**
     * The request does not fit this engine (an unsupported model part, a size too large): exit 2.
     */
    REQUEST,
    /** The environment lacks something (device, driver, fp64, memory): exit 3. */
    ENVIRONMENT,
    /** The device failed while working (a lost device, a failed launch): exit 3, run resumable. */
    DEVICE_FAILURE
  }

  private final Kind kind;

  public EngineException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public EngineException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
