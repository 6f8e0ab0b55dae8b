package org.starling.bench.tune;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.store.FileStore;
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

  /** Fails now, rather than after minutes of measuring, where nothing can be kept. */
  public void prepare() throws IOException {
    lockFile().close();
  }

  private FileChannel lockFile() throws IOException {
    Files.createDirectories(directory);
    return FileChannel.open(
        directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /**
   * Adds what was found on a device to what is known of it, and keeps that in one file. Several
   * processes may be tuning: none takes away what another has found meanwhile.
   *
   * @param anew whether to forget what was found before
   */
  public Tuning add(EngineIdentity now, List<Tuned> found, String when, boolean anew)
      throws IOException {
    try (FileChannel channel = lockFile()) {
      // Held until the channel is closed, or its process ends.
      channel.lock();
      Optional<Tuning> known = anew ? Optional.empty() : find(now.device());
      Tuning tuning = known.filter(t -> t.measuredWith(now)).orElse(Tuning.none(now, when));
      for (Tuned one : found) {
        tuning = tuning.with(one, when);
      }
      FileStore.disk().replace(file(now.device()), Json.document(tuning.asMap()));
      return tuning;
    }
  }
}
