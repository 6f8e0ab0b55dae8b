package org.starling.paths.experiment;

import java.util.HashMap;
import java.util.Map;
import org.starling.core.experiment.InputFile;
import org.starling.core.store.FileStore;
import org.starling.core.store.Npy;
import org.starling.core.store.NpyArray;
import org.starling.core.store.Sha256;
import org.starling.core.store.StoreException;

/** The files that an experiment names, each read once and held to its digest. */
final class PathFiles {
  private final Map<InputFile, byte[]> contents = new HashMap<>();

  NpyArray array(InputFile file) {
    return Npy.decode(bytes(file), file.path().toString()).requireFinite();
  }

  String digest(InputFile file) {
    return Sha256.of(bytes(file));
  }

  private byte[] bytes(InputFile file) {
    return contents.computeIfAbsent(
        file,
        f -> {
          byte[] bytes = FileStore.disk().read(f.path());
          String digest = Sha256.of(bytes);
          if (f.sha256() != null && !f.sha256().equals(digest)) {
            throw new StoreException(
                StoreException.Kind.REFUSED,
                f.path()
                    + " has changed: its sha256 is "
                    + digest
                    + ", the experiment was made with "
                    + f.sha256()
                    + "; restore the file, or start a new run without the sha256 key");
          }
          return bytes;
        });
  }
}
