package org.starling.core.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in lower-case hexadecimal, of something whole or of something that grows. */
public final class Sha256 {
  /** Bytes that are read at a time. */
  private static final long PIECE = 1 << 22;

  private final MessageDigest digest;

  /** Of nothing yet. */
  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Adds a piece. */
  public Sha256 add(byte[] piece) {
    digest.update(piece);
    return this;
  }

  /** Adds bytes {@code from} to {@code end} of a file, read in pieces. */
  Sha256 add(FileStore store, Path file, long from, long end) {
    for (long at = from; at < end; at += PIECE) {
      add(store.read(file, at, (int) Math.min(PIECE, end - at)));
    }
    return this;
  }

  /** Of a whole file. */
  static String of(FileStore store, Path file) {
    return new Sha256().add(store, file, 0, store.size(file)).hex();
  }

  /** Of everything added so far; more may be added after. */
  public String hex() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the SHA-256 of this Java cannot be copied", e);
    }
  }

  /** Of the concatenation of the pieces. */
  public static String of(byte[]... pieces) {
    Sha256 hash = new Sha256();
    for (byte[] piece : pieces) {
      hash.add(piece);
    }
    return hash.hex();
  }

  /** Of a text in UTF-8. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }
}
