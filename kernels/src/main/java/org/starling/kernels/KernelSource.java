package org.starling.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A kernel as shipped: one operation, one file, preceded by the files it builds on.
 *
 * @param entry name of the {@code __kernel} function
 * @param files resource names in this package, in the order in which they are joined; the last one
 *     holds the entry and its contract
 */
public record KernelSource(String entry, List<String> files) {
  /**
   * System property naming a folder whose files take the place of those shipped, for work on
   * kernels. The kernel hash follows the text, so that results and certificates tell the
   * difference.
   */
  public static final String FOLDER_PROPERTY = "starling.kernels.dir";

  public KernelSource {
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("kernel " + entry + " names no source file");
    }
  }

  public static KernelSource of(String entry, String... files) {
    return new KernelSource(entry, List.of(files));
  }

  /** The OpenCL C text, all files joined. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (String file : files) {
      text.append(read(file)).append('\n');
    }
    return text.toString();
  }

  /** This kernel built with the given macros. */
  public KernelVariant with(Map<String, String> defines) {
    return new KernelVariant(this, defines);
  }

  private static String read(String file) {
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null && Files.isRegularFile(Path.of(folder, file))) {
      try {
        return Files.readString(Path.of(folder, file), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read kernel file " + file + " in " + folder, e);
      }
    }
    try (InputStream in = KernelSource.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(
            "kernel file " + file + " is missing from the program's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read kernel file " + file, e);
    }
  }
}
