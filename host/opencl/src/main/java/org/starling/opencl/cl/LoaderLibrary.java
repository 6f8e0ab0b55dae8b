package org.starling.opencl.cl;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks for the system's OpenCL loader without loading anything: the binding, when it finds none,
 * complains on standard output, which belongs to the program's data.
 */
final class LoaderLibrary {
  private static final String NAME = "libOpenCL.so";

  private LoaderLibrary() {}

  /** Whether this machine surely has no loader. */
  static boolean absent() {
    return System.getProperty("os.name").equals("Linux")
        && absent(System.getProperty("java.library.path", ""), Path.of("/etc/ld.so.cache"));
  }

  /**
   * Whether there is no loader on the library path or in the cache of the dynamic linker.
   *
   * @param cache false is the answer where it cannot be read: other C libraries have none
   */
  static boolean absent(String libraryPath, Path cache) {
    for (String folder : libraryPath.split(File.pathSeparator)) {
      if (!folder.isEmpty()
          && (Files.exists(Path.of(folder, NAME)) || Files.exists(Path.of(folder, NAME + ".1")))) {
        return false;
      }
    }
    try {
      return !new String(Files.readAllBytes(cache), StandardCharsets.ISO_8859_1).contains(NAME);
    } catch (IOException e) {
      return false;
    }
  }
}
