package org.starling.core.experiment;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.starling.core.store.Sha256;

/**
 * Finds a user's class: in a jar, in a folder of classes, or in a source file compiled in memory.
 */
final class ClassSource {
  private ClassSource() {}

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  static Class<?> load(String className, InputFile classpath) {
    ClassLoader parent = ClassSource.class.getClassLoader();
    if (classpath == null) {
      return find(
          className,
          parent,
          "on the class path; name its jar, folder or .java file under" + " classpath");
    }
    Path path = classpath.path();
    if (!Files.isReadable(path)) {
      throw new IllegalArgumentException(
          "cannot read " + path + (Files.exists(path) ? "" : ": there is no such file"));
    }
    String digest = digest(path);
    if (classpath.sha256() != null && !classpath.sha256().equals(digest)) {
      throw new IllegalArgumentException(InputLoader.changed(classpath, digest));
    }
    if (path.toString().endsWith(".java")) {
      return find(className, compile(path, parent), "in " + path);
    }
    try {
      // Never closed: the class may load others of its own as long as the run lasts.
      return find(
          className, new URLClassLoader(new URL[] {path.toUri().toURL()}, parent), "in " + path);
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("no class path: " + path, e);
    }
  }

  /**
   * Hash of the code of a class that {@link #load} gave: of everything it was loaded from, since it
   * may call other classes there; of its own bytes where it came from the class path.
   */
  static String hash(Class<?> type, InputFile classpath) {
    if (classpath != null) {
      return digest(classpath.path());
    }
    String file = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      if (bytes == null) {
        throw new IllegalArgumentException("the class path has no file " + file);
      }
      return Sha256.of(bytes.readAllBytes());
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  static InputFile digested(InputFile classpath) {
    return new InputFile(classpath.path(), digest(classpath.path()));
  }

  /** Of a file its bytes; of a folder the names and bytes of its class files. */
  private static String digest(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        return Sha256.of(Files.readAllBytes(path));
      }
      List<byte[]> pieces = new ArrayList<>();
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
          pieces.add(
              path.relativize(file).toString().replace('\\', '/').getBytes(StandardCharsets.UTF_8));
          pieces.add(Files.readAllBytes(file));
        }
      }
      return Sha256.of(pieces.toArray(new byte[0][]));
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private static Class<?> find(String className, ClassLoader loader, String place) {
    try {
      return Class.forName(className, true, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + className + " " + place, e);
    } catch (LinkageError e) {
      throw new IllegalArgumentException(
          "class " + className + " " + place + " cannot be loaded: " + e, e);
    }
  }

  private static ClassLoader compile(Path source, ClassLoader parent) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalArgumentException(
          source
              + " is Java source, and this Java has no compiler; run with a JDK, or compile it"
              + " and name the folder of its classes");
    }
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StringWriter rest = new StringWriter();
    try (Memory memory =
        new Memory(compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8))) {
      boolean done =
          compiler
              .getTask(
                  rest,
                  memory,
                  found,
                  List.of("-proc:none"),
                  null,
                  List.of(new Source(source, Files.readString(source))))
              .call();
      if (!done) {
        throw new IllegalArgumentException("cannot compile " + source + ": " + first(found, rest));
      }
      return memory.loader(parent);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + source + ": " + e.getMessage(), e);
    }
  }

  private static String first(DiagnosticCollector<JavaFileObject> found, StringWriter rest) {
    for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) {
        return "line "
            + d.getLineNumber()
            + ", column "
            + d.getColumnNumber()
            + ": "
            + d.getMessage(null);
      }
    }
    return rest.toString().strip();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(Path file, String text) {
      super(file.toUri(), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Compiled extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Compiled(String className) {
      super(URI.create("memory:///" + className.replace('.', '/') + ".class"), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }
  }

  /** Keeps compiled classes in memory: the folder of the source may be read-only. */
  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, Compiled> classes = new HashMap<>();

    Memory(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      Compiled compiled = new Compiled(className);
      classes.put(className, compiled);
      return compiled;
    }

    ClassLoader loader(ClassLoader parent) {
      Map<String, Compiled> compiled = Map.copyOf(classes);
      return new ClassLoader(parent) {
        @Override
        protected Class<?> findClass(String className) throws ClassNotFoundException {
          Compiled c = compiled.get(className);
          if (c == null) {
            throw new ClassNotFoundException(className);
          }
          byte[] code = c.bytes.toByteArray();
          return defineClass(className, code, 0, code.length);
        }
      };
    }
  }
}
