package org.starling.core.experiment;

import java.util.HashMap;
import java.util.Map;
import org.starling.core.store.FileStore;
import org.starling.core.store.Npy;
import org.starling.core.store.NpyArray;
import org.starling.core.store.Sha256;
import org.starling.core.store.StoreException;

/** Reads the files that an experiment names, each once, and holds them to their digests. */
final class InputLoader {
  private final Problems problems;
  private final Map<InputFile, byte[]> contents = new HashMap<>();

  InputLoader(Problems problems) {
    this.problems = problems;
  }

  /** Bytes of a file, or null after a problem was noted at {@code at}. */
  byte[] bytes(InputFile file, Position at) {
    if (contents.containsKey(file)) {
      return contents.get(file);
    }
    byte[] bytes = null;
    try {
      bytes = FileStore.disk().read(file.path());
      String digest = Sha256.of(bytes);
      if (file.sha256() != null && !file.sha256().equals(digest)) {
        problems.add(at, changed(file, digest));
        bytes = null;
      }
    } catch (StoreException e) {
      problems.add(at, e.getMessage());
    }
    contents.put(file, bytes);
    return bytes;
  }

  /** The finite array of a .npy file, or null after a problem was noted. */
  NpyArray npy(InputFile file, Position at) {
    byte[] bytes = bytes(file, at);
    if (bytes == null) {
      return null;
    }
    try {
      return Npy.decode(bytes, file.path().toString()).requireFinite();
    } catch (StoreException e) {
      problems.add(at, e.getMessage());
      return null;
    }
  }

  /** The same file with the digest of the bytes read. */
  InputFile digested(InputFile file) {
    byte[] bytes = contents.get(file);
    return bytes == null ? file : new InputFile(file.path(), Sha256.of(bytes));
  }

  static String changed(InputFile file, String digest) {
    return file.path()
        + " has changed: its sha256 is "
        + digest
        + ", the experiment was made with "
        + file.sha256()
        + "; restore the file, or start a new run without the sha256 key";
  }
}
