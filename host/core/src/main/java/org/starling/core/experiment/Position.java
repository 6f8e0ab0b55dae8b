package org.starling.core.experiment;

import java.nio.file.Path;

/**
 * A place in an experiment file or in a command-line override.
 *
 * @param source file name, or {@code --set key=value}
 * @param line line from 1, or 0 for the source as a whole
 * @param column column from 1, in characters
 * @param base directory that relative file names written here are resolved against
 */
public record Position(String source, int line, int column, Path base) {
  static final String OVERRIDE = "--set ";

  /** True for a place on the command line rather than in a file. */
  boolean isOverride() {
    return source.startsWith(OVERRIDE);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
