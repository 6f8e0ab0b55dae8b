package org.starling.core.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Certificates as files {@code <id>.jsonl}: a line with the key, then a JSON line per variant.
 * Nothing is ever overwritten, so an id in an old manifest still leads to its numbers.
 */
public final class CertificateStore {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path directory;

  /** First line of a file. */
  record Header(Certificate.Key key, boolean partial) {}

  public CertificateStore(Path directory) {
    this.directory = directory;
  }

  public Path file(String id) {
    return directory.resolve(id + ".jsonl");
  }

  /**
   * All that is known about a key: its certificates joined, the newest line of each variant
   * winning. A damaged file is passed over, since measuring again is always possible.
   */
  public Optional<Certificate> find(Certificate.Key key) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    List<Path> files;
    try (Stream<Path> list = Files.list(directory)) {
      files = new ArrayList<>(list.filter(p -> p.toString().endsWith(".jsonl")).toList());
    }
    files.sort((a, b) -> Long.compare(a.toFile().lastModified(), b.toFile().lastModified()));
    Certificate all = null;
    for (Path p : files) {
      Optional<Certificate> one = read(p);
      if (one.isPresent() && one.get().key().equals(key)) {
        all = all == null ? one.get() : all.with(one.get());
      }
    }
    return Optional.ofNullable(all);
  }

  /** Reads a certificate; empty when the file is not a whole certificate under its own id. */
  public static Optional<Certificate> read(Path file) throws IOException {
    List<String> text = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Header header = JSON.readValue(text.get(0), Header.class);
      List<Certificate.Line> lines = new ArrayList<>();
      for (String line : text.subList(1, text.size())) {
        lines.add(JSON.readValue(line, Certificate.Line.class));
      }
      Certificate c = new Certificate(header.key(), header.partial(), lines);
      return file.getFileName().toString().equals(c.id() + ".jsonl")
          ? Optional.of(c)
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** Writes a certificate and returns its file. */
  public Path save(Certificate certificate) throws IOException {
    Files.createDirectories(directory);
    StringBuilder text = new StringBuilder();
    text.append(JSON.writeValueAsString(new Header(certificate.key(), certificate.partial())));
    text.append('\n');
    for (Certificate.Line line : certificate.lines()) {
      text.append(JSON.writeValueAsString(line)).append('\n');
    }
    Path target = file(certificate.id());
    Path part = Files.createTempFile(directory, ".certificate", ".part");
    Files.writeString(part, text, StandardCharsets.UTF_8);
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return target;
  }
}
