package org.starling.core.run;

/** Hears how a run goes; called on the run's own thread. */
public interface ProgressListener {
  ProgressListener NONE =
      new ProgressListener() {
        @Override
        public void progress(Progress progress) {}

        @Override
        public void message(String sentence) {}
      };

  /** About once a second, and at the end. */
  void progress(Progress progress);

  /** Something a person should know: advice, a warning, a checkpoint resumed from. */
  void message(String sentence);
}
