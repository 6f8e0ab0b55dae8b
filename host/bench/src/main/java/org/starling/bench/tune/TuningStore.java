package org.starling.bench.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import org.starling.core.store.Json;
import org.starling.core.store.Sha256;
import org.starling.core.store.StoreException;

/** Tunings as files, one a device, replaced as a whole. */
public final class TuningStore {
  private final Path directory;

  public TuningStore(Path directory) {
    this.directory = directory;
  }

  /** The file of a device: its name, told apart from equal beginnings by a hash. */
  public Path file(String device) {
    String plain = device.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String begin = plain.substring(0, Math.min(48, plain.length()));
    return directory.resolve(begin + "-" + Sha256.of(device).substring(0, 8) + ".json");
  }

  /**
   * What is known of a device.
   *
   * @throws StoreException of kind DAMAGED, naming the file and what to do, if it cannot be read:
   *     tile sizes decide the bits of a run, so others are not taken in silence
   */
  public Optional<Tuning> find(String device) throws IOException {
    Path file = file(device);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Tuning t = Tuning.of(Json.read(Files.readAllBytes(file), file.toString()));
      if (!t.device().equals(device)) {
        throw new IllegalArgumentException("it is that of another device, " + t.device());
      }
      return Optional.of(t);
    } catch (RuntimeException e) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          "the tuning file "
              + file
              + " cannot be used: "
              + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage())
              + ". Make it anew with `starling tune --anew`, or delete it to use the shipped tile"
              + " sizes.",
          e);
    }
  }

  /** Writes a tuning in the place of an earlier one and returns its file. */
  public Path save(Tuning tuning) throws IOException {
    Files.createDirectories(directory);
    Path target = file(tuning.device());
    Path part = Files.createTempFile(directory, ".tuning", ".part");
    Files.writeString(
        part,
        new String(Json.document(tuning.asMap()), StandardCharsets.UTF_8),
        StandardCharsets.UTF_8);
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return target;
  }
}
