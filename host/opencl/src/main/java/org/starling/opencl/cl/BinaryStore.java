package org.starling.opencl.cl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Folder of program binaries from earlier processes. A file is the sha256 of the binary, then the
 * binary, so that a torn or altered file is told apart. A folder that cannot be read or written
 * costs compile time, nothing else.
 */
public final class BinaryStore {
  private static final int HASH_BYTES = 32;

  private final Path folder;

  public BinaryStore(Path folder) {
    this.folder = folder;
  }

  /**
   * The user's store: {@code opencl} under STARLING_CACHE, else under XDG_CACHE_HOME/starling, else
   * under ~/.cache/starling.
   */
  public static BinaryStore ofUser(Map<String, String> environment) {
    String own = environment.get("STARLING_CACHE");
    if (own != null && !own.isBlank()) {
      return new BinaryStore(Path.of(own, "opencl"));
    }
    String xdg = environment.get("XDG_CACHE_HOME");
    Path base =
        xdg == null || xdg.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(xdg);
    return new BinaryStore(base.resolve("starling").resolve("opencl"));
  }

  /** Name of a binary: sha256 over everything that decides it. */
  public static String key(String... parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  Optional<byte[]> load(String key) {
    try {
      byte[] file = Files.readAllBytes(folder.resolve(key));
      if (file.length > HASH_BYTES) {
        byte[] binary = Arrays.copyOfRange(file, HASH_BYTES, file.length);
        if (Arrays.equals(sha256().digest(binary), Arrays.copyOf(file, HASH_BYTES))) {
          return Optional.of(binary);
        }
      }
      discard(key);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void save(String key, byte[] binary) {
    if (binary.length == 0) {
      return;
    }
    Path temporary = null;
    try {
      Files.createDirectories(folder);
      temporary = Files.createTempFile(folder, "new", ".tmp");
      byte[] file = Arrays.copyOf(sha256().digest(binary), HASH_BYTES + binary.length);
      System.arraycopy(binary, 0, file, HASH_BYTES, binary.length);
      Files.write(temporary, file);
      Files.move(temporary, folder.resolve(key), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      delete(temporary);
    }
  }

  void discard(String key) {
    delete(folder.resolve(key));
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Read-only folder: the file stays and is refused again next time.
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
