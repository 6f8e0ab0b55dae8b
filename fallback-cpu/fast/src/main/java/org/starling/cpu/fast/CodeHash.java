package org.starling.cpu.fast;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.starling.core.store.Sha256;

/**
 * The identity of the code that decides the numbers: a hash over its class files, so that a
 * certificate never outlives the code it was measured on.
 */
final class CodeHash {
  private static final List<Class<?>> CODE =
      List.of(
          AttentionStatistics.class,
          DifferenceKernel.class,
          Evaluation.class,
          FastObservations.class,
          FastState.class,
          FloatExp.class,
          InteractionKernel.class,
          PairScan.class,
          Panels.class,
          RowEpilogue.class,
          RowSums.class,
          Rows.class,
          ScoreRows.class,
          SplitKernelDouble.class,
          SplitKernelSingle.class,
          StateOperations.class,
          TokenProducts.class);

  private CodeHash() {}

  /** sha256 in hexadecimal over the class files and {@code settings}. */
  static String of(String settings) {
    List<byte[]> pieces = new ArrayList<>();
    pieces.add(settings.getBytes(StandardCharsets.UTF_8));
    for (Class<?> c : CODE) {
      try (InputStream file = c.getResourceAsStream(c.getSimpleName() + ".class")) {
        pieces.add(file.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the class file of " + c.getName(), e);
      }
    }
    return Sha256.of(pieces.toArray(new byte[0][]));
  }
}
