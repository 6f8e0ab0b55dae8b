package org.starling.core.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The published JSON Schema (draft 2020-12) of experiment files, for editors. It says what a file
 * may hold; what must hold between its parts, or in the files it names, is checked on reading.
 */
public final class ExperimentSchema {
  private static final String RESOURCE = "experiment.schema.json";

  private ExperimentSchema() {}

  /** The schema's text. */
  public static String text() {
    try (InputStream in = ExperimentSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
