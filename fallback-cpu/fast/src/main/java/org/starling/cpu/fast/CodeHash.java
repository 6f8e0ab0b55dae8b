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
  /** By name, since a JVM without the Vector API cannot load them all. */
  private static final List<String> CODE =
      List.of(
          "AttentionStatistics",
          "Evaluation",
          "ExpDouble",
          "ExpSingle",
          "FastObservations",
          "FastState",
          "Form",
          "InteractionKernel",
          "PairScan",
          "Panels",
          "PlainLoopsDouble",
          "PlainLoopsSingle",
          "PlainStripDouble",
          "PlainStripSingle",
          "Replicas",
          "RowEpilogue",
          "RowSums",
          "Rows",
          "ScoreRows",
          "StateOperations",
          "StripKernel",
          "TokenProducts",
          "TokensDouble",
          "TokensSingle",
          "VectorDifferencesDouble",
          "VectorDifferencesSingle",
          "VectorExpDouble",
          "VectorExpSingle",
          "VectorStripDouble",
          "VectorStripSingle",
          "VectorTilesDouble",
          "VectorTilesSingle");

  private CodeHash() {}

  /** sha256 in hexadecimal over the class files and {@code settings}. */
  static String of(String settings) {
    List<byte[]> pieces = new ArrayList<>();
    pieces.add(settings.getBytes(StandardCharsets.UTF_8));
    for (String c : CODE) {
      try (InputStream file = CodeHash.class.getResourceAsStream(c + ".class")) {
        pieces.add(file.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the class file of " + c, e);
      }
    }
    return Sha256.of(pieces.toArray(new byte[0][]));
  }
}
