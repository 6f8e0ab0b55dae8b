package org.starling.core.store;

/** A file cannot be read or written. The message names the file and one thing to do. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is wrong; decides the exit code. */
  public enum Kind {
    /** A file given by the user does not hold what is needed. */
    BAD_FILE(2),
    /** The directory holds a run that must not be overwritten, or is not a run. */
    REFUSED(2),
    /** Another process is working on the directory. */
    LOCKED(2),
    /** A file of a run is damaged. */
    DAMAGED(3),
    /** The file system failed: full, read-only, gone. */
    IO(3);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    public int exitCode() {
      return exitCode;
    }
  }

  private final Kind kind;

  public StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public StoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
