package org.starling.opencl.cl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Binaries come back whole or not at all. */
class BinaryStoreTest {
  private static final byte[] BINARY = {1, 2, 3};

  @TempDir Path folder;

  @Test
  void givesBackWhatWasSaved() {
    BinaryStore store = new BinaryStore(folder.resolve("new/folder"));
    assertEquals(Optional.empty(), store.load("key"));
    store.save("key", BINARY);
    assertArrayEquals(BINARY, store.load("key").orElseThrow());
    store.discard("key");
    assertEquals(Optional.empty(), store.load("key"));
  }

  @Test
  void refusesAndRemovesAnAlteredFile() throws Exception {
    BinaryStore store = new BinaryStore(folder);
    store.save("key", BINARY);
    byte[] file = Files.readAllBytes(folder.resolve("key"));
    file[file.length - 1] ^= 1;
    Files.write(folder.resolve("key"), file);
    assertEquals(Optional.empty(), store.load("key"));
    assertFalse(Files.exists(folder.resolve("key")));
    Files.write(folder.resolve("key"), new byte[5]);
    assertEquals(Optional.empty(), store.load("key"));
  }

  @Test
  void livesWithAFolderItCannotWrite() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    BinaryStore store = new BinaryStore(file.resolve("below a file"));
    store.save("key", BINARY);
    assertEquals(Optional.empty(), store.load("key"));
    store.discard("key");
  }

  @Test
  void keysTellPartsApart() {
    assertNotEquals(BinaryStore.key("ab", "c"), BinaryStore.key("a", "bc"));
    assertEquals(64, BinaryStore.key("a").length());
  }

  @Test
  void followsTheEnvironment() {
    BinaryStore own = BinaryStore.ofUser(Map.of("STARLING_CACHE", folder.toString()));
    own.save("key", BINARY);
    assertTrue(Files.exists(folder.resolve("opencl/key")));
    BinaryStore xdg = BinaryStore.ofUser(Map.of("XDG_CACHE_HOME", folder.toString()));
    xdg.save("key", BINARY);
    assertTrue(Files.exists(folder.resolve("starling/opencl/key")));
  }
}
