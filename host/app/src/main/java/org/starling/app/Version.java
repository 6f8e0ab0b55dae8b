package org.starling.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import picocli.CommandLine.IVersionProvider;

/** Version and commit of this build, from the manifest of its jar. */
public final class Version implements IVersionProvider {
  private static final String UNBUILT = "unpackaged";

  private final String version;
  private final String commit;

  Version() {
    Attributes found = attributes();
    version = found == null ? UNBUILT : found.getValue("Implementation-Version");
    String c = found == null ? null : found.getValue("Implementation-Commit");
    commit = c == null ? "unknown" : c;
  }

  private static Attributes attributes() {
    try {
      Enumeration<URL> all = Version.class.getClassLoader().getResources("META-INF/MANIFEST.MF");
      while (all.hasMoreElements()) {
        try (InputStream in = all.nextElement().openStream()) {
          Attributes a = new Manifest(in).getMainAttributes();
          if ("Starling".equals(a.getValue("Implementation-Title"))) {
            return a;
          }
        }
      }
    } catch (IOException e) {
      // A jar that cannot be read cannot have started this program either.
      return null;
    }
    return null;
  }

  String version() {
    return version;
  }

  String commit() {
    return commit;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"starling " + version + " (" + commit + "), Java " + Runtime.version()};
  }
}
