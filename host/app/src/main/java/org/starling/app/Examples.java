package org.starling.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The experiments that come with the program; {@code index.txt} lists each with its input files.
 */
final class Examples {
  private static final String PLACE = "/org/starling/app/examples/";

  private Examples() {}

  /** Names with the input files of each. */
  private static Map<String, List<String>> index() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(open("index.txt"), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        if (!line.isBlank()) {
          all.put(words.get(0), words.subList(1, words.size()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the list of bundled experiments cannot be read", e);
    }
    return all;
  }

  static List<String> names() {
    return List.copyOf(index().keySet());
  }

  static boolean has(String name) {
    return index().containsKey(name);
  }

  /** Text of a bundled experiment. */
  static String text(String name) {
    try (InputStream in = open(name + ".yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the bundled experiment " + name + " cannot be read", e);
    }
  }

  /**
   * Unpacks the input files of a bundled experiment, so that its text may name them.
   *
   * @param folder where they go; files there are replaced
   */
  static void unpack(String name, Path folder) throws IOException {
    for (String file : index().get(name)) {
      Path target = folder.resolve(file);
      Files.createDirectories(target.getParent());
      try (InputStream in = open(file)) {
        Path part = Files.createTempFile(target.getParent(), ".example", ".part");
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static InputStream open(String file) throws IOException {
    InputStream in = Examples.class.getResourceAsStream(PLACE + file);
    if (in == null) {
      throw new IOException(PLACE + file + " is not in this build");
    }
    return in;
  }
}
