package org.starling.opencl.cl;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderLibraryTest {
  @TempDir Path temp;

  private Path cache(String text) throws IOException {
    return Files.writeString(temp.resolve("ld.so.cache"), text);
  }

  @Test
  void aLoaderIsFoundOnThePathOrInTheCache() throws IOException {
    Path empty = cache("glibc-ld.so.cache1.1\0libm.so.6\0/lib/libm.so.6\0");
    String path = "/no/such/folder::" + temp;
    assertTrue(LoaderLibrary.absent(path, empty));
    Files.createFile(temp.resolve("libOpenCL.so.1"));
    assertFalse(LoaderLibrary.absent(path, empty));
    assertFalse(LoaderLibrary.absent("", cache("libOpenCL.so.1\0/opt/rocm/lib/libOpenCL.so.1\0")));
  }

  @Test
  void withoutACacheNothingIsSure() {
    assertFalse(LoaderLibrary.absent("", temp.resolve("none")));
  }
}
