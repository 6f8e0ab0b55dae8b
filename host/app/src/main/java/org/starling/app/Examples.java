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
 * The experiments that come with the program; {@code index.txt} lists each with its input files,
 * and so does that in {@code reproduce/}, whose experiments have a claim.
 */
final class Examples {
  private static final String PLACE = "/org/starling/app/examples/";

  private Examples() {}

  private static final String CLAIMS = "reproduce/";
  private static final String CONJECTURES = "conjectures/";

  private static final String PATHS = "paths/";

  /**
   * A bundled experiment.
   *
   * @param place of its file, without the ending
   * @param inputs files that it names
   */
  private record Entry(String place, List<String> inputs) {}

  private static Map<String, Entry> index(String folder) {
    Map<String, Entry> all = new LinkedHashMap<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(open(folder + "index.txt"), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        if (!line.isBlank()) {
          String place = folder + words.get(0);
          String name = place.substring(place.lastIndexOf('/') + 1);
          all.put(
              name,
              new Entry(
                  place, words.subList(1, words.size()).stream().map(f -> folder + f).toList()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the list of bundled experiments cannot be read", e);
    }
    return all;
  }

  /** Those without a claim. */
  static List<String> names() {
    return List.copyOf(index("").keySet());
  }

  /** The catalogue of {@code starling reproduce}. */
  static List<String> claims() {
    return List.copyOf(index(CLAIMS).keySet());
  }

  /** What {@code starling conjecture} tests. */
  static List<String> conjectures() {
    return List.copyOf(index(CONJECTURES).keySet());
  }

  /** Experiments on attention paths, {@code starling paths}. */
  static List<String> paths() {
    return List.copyOf(index(PATHS).keySet());
  }

  /** Text of a bundled experiment on attention paths. */
  static String pathsText(String name) {
    try (InputStream in = open(PATHS + name + ".yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the bundled experiment " + name + " cannot be read", e);
    }
  }

  /** Null where there is none. */
  private static Entry entry(String name) {
    for (String folder : List.of("", CLAIMS, CONJECTURES)) {
      Entry one = index(folder).get(name);
      if (one != null) {
        return one;
      }
    }
    return null;
  }

  static boolean has(String name) {
    return entry(name) != null;
  }

  /** Text of a bundled experiment. */
  static String text(String name) {
    try (InputStream in = open(entry(name).place() + ".yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the bundled experiment " + name + " cannot be read", e);
    }
  }

  /**
   * Unpacks the input files of a bundled experiment, so that its text may name them.
   *
   * @param folder where they go; files there are replaced
   * @return the folder that its text is relative to
   */
  static Path unpack(String name, Path folder) throws IOException {
    Entry entry = entry(name);
    for (String file : entry.inputs()) {
      Path target = folder.resolve(file);
      Files.createDirectories(target.getParent());
      try (InputStream in = open(file)) {
        Path part = Files.createTempFile(target.getParent(), ".example", ".part");
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path parent = folder.resolve(entry.place()).getParent();
    return parent == null ? folder : parent;
  }

  private static InputStream open(String file) throws IOException {
    InputStream in = Examples.class.getResourceAsStream(PLACE + file);
    if (in == null) {
      throw new IOException(PLACE + file + " is not in this build");
    }
    return in;
  }
}
