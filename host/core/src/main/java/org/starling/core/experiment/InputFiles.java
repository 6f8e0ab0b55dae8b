package org.starling.core.experiment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Reads file names, relative to where they are written, and the digests that may go with them. */
public final class InputFiles {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private InputFiles() {}

  /** The file named by {@code key}, with the digest under {@code sha256}; null where absent. */
  public static InputFile read(Binding binding, Section s, String key) {
    Node node = s.take(key);
    Node digestNode = s.take("sha256");
    if (node == null) {
      if (digestNode != null) {
        binding.problems.add(
            digestNode.at(), s.path("sha256") + " has no file to belong to: give " + s.path(key));
      }
      return null;
    }
    String digest = digestNode == null ? null : binding.text(digestNode, s.path("sha256"));
    if (digest != null && !SHA256.matcher(digest).matches()) {
      binding.problems.add(
          digestNode.at(), s.path("sha256") + " must be 64 lower-case hexadecimal digits");
    }
    String name = binding.text(node, s.path(key));
    try {
      return new InputFile(node.at().base().resolve(name).toAbsolutePath().normalize(), digest);
    } catch (InvalidPathException e) {
      binding.problems.add(node.at(), s.path(key) + " is no file name: " + e.getMessage());
      return new InputFile(Path.of("x"), digest);
    }
  }
}
