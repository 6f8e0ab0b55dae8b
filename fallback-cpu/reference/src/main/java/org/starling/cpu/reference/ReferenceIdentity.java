package org.starling.cpu.reference;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.starling.core.engine.EngineIdentity;

/** What computed: the JVM, its version and the version of this engine. */
final class ReferenceIdentity {
  static final String ENGINE = "reference";
  static final String DEVICE = "Java virtual machine";

  private ReferenceIdentity() {}

  static EngineIdentity of() {
    return new EngineIdentity(
        ENGINE,
        DEVICE,
        System.getProperty("java.vm.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
        sha256(ENGINE + " " + version()),
        Map.of());
  }

  private static String version() {
    String version = ReferenceIdentity.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
