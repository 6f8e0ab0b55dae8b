package org.starling.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.starling.core.run.StopRequest;

/**
 * Lets a signal end a run in good order. On SIGTERM, SIGINT or SIGHUP the JVM calls its shutdown
 * hooks; ours asks the run to stop, waits until it has written its checkpoint, and ends the process
 * with the run's exit code in place of the signal's.
 */
public final class Interruption {
  /** A step that takes longer than this is not waited for. */
  private static final int PATIENCE_MINUTES = 5;

  private final StopRequest stop = new StopRequest();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean honoured;
  private volatile int exitCode;

  /** Takes effect for this process. */
  void install() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::signalled, "shutdown"));
  }

  private void signalled() {
    if (!honoured || over.getCount() == 0) {
      return;
    }
    stop.stop("a signal asked for it");
    try {
      if (!over.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        Runtime.getRuntime().halt(ExitCode.STOPPED_EARLY); // resume takes the last checkpoint
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** A command that stops by itself says so and gets the flag to watch. */
  public StopRequest honour() {
    honoured = true;
    return stop;
  }

  /** The command has ended and everything it had to say is written. */
  void finished(int code) {
    exitCode = code;
    over.countDown();
  }
}
