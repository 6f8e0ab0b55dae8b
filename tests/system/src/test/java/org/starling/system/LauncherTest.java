package org.starling.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start script, in a small tree of its own where Java, the compiler and the build are scripts
 * that tell what was asked of them.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  /** All that the script may find on its path: no Java among them. */
  private static final List<String> TOOLS =
      List.of(
          "cat",
          "dirname",
          "find",
          "head",
          "id",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "tail",
          "touch",
          "tr",
          "uname");

  @TempDir Path temp;
  private Path tree;
  private Path tools;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void layTree() throws IOException {
    temp = temp.toRealPath();
    tree = Files.createDirectories(temp.resolve("a tree"));
    tools = Files.createDirectories(temp.resolve("tools"));
    for (String tool : TOOLS) {
      script(tools.resolve(tool), "exec " + find(tool) + " \"$@\"");
    }
    Files.copy(checkout().resolve("starling"), tree.resolve("starling"));
    assertTrue(tree.resolve("starling").toFile().setExecutable(true));
    environment.put("PATH", tools.toString());
    environment.put("HOME", temp.toString());
    environment.put("STARLING_JVM_DIRS", "");
  }

  @Test
  void withoutAnyJavaItSaysWhatToInstall() throws Exception {
    unpackedRelease();
    Outcome outcome = starling("devices");
    assertEquals(3, outcome.exit, outcome.err);
    assertEquals("", outcome.out);
    assertContains("needs Java 17 or newer, and none was found", outcome.err);
    assertContains("JAVA_HOME", outcome.err);
  }

  @Test
  void aJavaThatIsTooOldIsNamed() throws Exception {
    unpackedRelease();
    Path old = java("old", "11.0.22", "exit 0");
    environment.put("JAVA_HOME", old.toString());
    Outcome outcome = starling("devices");
    assertEquals(3, outcome.exit, outcome.err);
    assertEquals("", outcome.out);
    assertContains("Java 11 in " + old + " is too old", outcome.err);
  }

  @Test
  void java8IsRecognisedByItsOldNumbering() throws Exception {
    unpackedRelease();
    Path old = java("old", "1.8.0_392", "exit 0");
    environment.put("PATH", old.resolve("bin") + ":" + tools);
    Outcome outcome = starling("devices");
    assertEquals(3, outcome.exit, outcome.err);
    assertContains("Java 8 in " + old + " is too old", outcome.err);
  }

  @Test
  void aWrongJavaHomeIsPassedOverAndSaid() throws Exception {
    unpackedRelease();
    environment.put("JAVA_HOME", temp.resolve("nowhere").toString());
    java("jvms/newer", "25.0.3", "exit 0");
    environment.put("STARLING_JVM_DIRS", temp.resolve("empty") + ":" + temp.resolve("jvms"));
    Outcome outcome = starling("devices");
    assertEquals(0, outcome.exit, outcome.err);
    assertContains("using Java 25 in " + temp.resolve("jvms/newer"), outcome.err);
  }

  @Test
  void argumentsOutputAndExitCodeGoThroughUnchanged() throws Exception {
    unpackedRelease();
    environment.put(
        "JAVA_HOME", java("jdk", "17.0.15", "printf '<%s>\\n' \"$@\"; exit 75").toString());
    environment.put("JAVA_OPTS", "-Done=1 -Dtwo=*");
    environment.put("STARLING_JAVA_OPTS", "-Xmx1g");
    Outcome outcome = starling("run", "my file.yaml", "*", "", "--set", "model.beta=4");
    assertEquals(75, outcome.exit, outcome.err);
    assertEquals("", outcome.err);
    List<String> passed = outcome.out.lines().toList();
    int jar = passed.indexOf("<-jar>");
    assertEquals(
        List.of("<-Done=1>", "<-Dtwo=*>", "<-Xmx1g>"), passed.subList(jar - 3, jar), outcome.out);
    assertEquals(
        List.of(
            "<" + tree.resolve("starling.jar") + ">",
            "<run>",
            "<my file.yaml>",
            "<*>",
            "<>",
            "<--set>",
            "<model.beta=4>"),
        passed.subList(jar + 1, passed.size()));
    assertTrue(passed.contains("<--enable-native-access=ALL-UNNAMED>"), outcome.out);
  }

  @Test
  void theUsersCollectorIsTheOnlyOne() throws Exception {
    unpackedRelease();
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "printf '%s\\n' \"$@\"").toString());
    environment.put("STARLING_JAVA_OPTS", "-XX:+UseZGC");
    Outcome outcome = starling("devices");
    assertEquals(
        List.of("-XX:+UseZGC"),
        outcome.out.lines().filter(line -> line.startsWith("-XX:+Use")).toList(),
        outcome.out);
  }

  /**
   * The JVM warns of the module that makes the engine java fast: no word of it where another
   * computes.
   */
  @Test
  void theVectorApiIsAskedForWhereJavaMayCompute() throws Exception {
    unpackedRelease();
    Path jdk = java("jdk", "17.0.15", "printf '%s\\n' \"$@\"");
    Files.writeString(
        jdk.resolve("release"),
        "JAVA_VERSION=\"17.0.15\"\nMODULES=\"java.base jdk.incubator.vector\"\n");
    environment.put("JAVA_HOME", jdk.toString());
    Path vendors = Files.createDirectories(temp.resolve("vendors"));
    environment.put("OCL_ICD_VENDORS", vendors.toString());
    Files.writeString(tree.resolve("a.yaml"), "model: {beta: 4}\n");
    Files.writeString(tree.resolve("j.yaml"), "execution: {device: java}\n");
    Path run = Files.createDirectories(tree.resolve("run"));
    Files.writeString(run.resolve("manifest.json"), "{\n    \"id\" : \"java\",\n}\n");
    assertTrue(asksForVectors("run", "a.yaml"), "no OpenCL driver");
    Files.createFile(vendors.resolve("pocl.icd"));
    assertFalse(asksForVectors("run", "a.yaml"), "OpenCL");
    assertTrue(asksForVectors("run", "a.yaml", "--device", "java"), "named");
    assertTrue(asksForVectors("run", "j.yaml"), "named in the experiment");
    assertTrue(asksForVectors("resume", "run"), "begun by it");
    assertTrue(asksForVectors("devices"), "described");
    assertFalse(asksForVectors("schema"), "nothing computed");
  }

  private boolean asksForVectors(String... arguments) throws Exception {
    Outcome outcome = starling(arguments);
    assertEquals("0", outcome.exit + outcome.err);
    return outcome.out.contains("jdk.incubator.vector");
  }

  /** A read-only home hides the device otherwise, for PoCL keeps silent. */
  @Test
  void poclGetsACacheThatItCanWriteTo() throws Exception {
    unpackedRelease();
    Path jdk = java("jdk", "17.0.15", "printf '%s' \"${POCL_CACHE_DIR:-}\"");
    environment.put("JAVA_HOME", jdk.toString());
    environment.put("TMPDIR", temp.toString());
    Path cache = Files.createDirectories(temp.resolve("cache"));
    environment.put("XDG_CACHE_HOME", cache.toString());
    environment.remove("POCL_CACHE_DIR");
    Outcome usual = starling("devices");
    assertEquals("", usual.out + usual.err);
    // No permission keeps root out; a file in the way does.
    environment.put("XDG_CACHE_HOME", Files.createFile(temp.resolve("file")).toString());
    for (int time = 0; time < 2; time++) {
      Outcome hindered = starling("devices");
      Path own = Path.of(hindered.out);
      assertEquals(temp, own.getParent());
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
      assertContains("keeps its kernels in " + own, hindered.err);
    }
    environment.put("POCL_CACHE_DIR", "/mine");
    assertEquals("/mine", starling("devices").out);
  }

  /**
   * What only tells of the module does not repeat the JVM's announcement; all else is passed on.
   */
  @Test
  void theAnnouncementOfTheModuleIsLeftOutWhereNothingIsComputed() throws Exception {
    unpackedRelease();
    String script =
        "printf 'data\\n'; printf 'WARNING: Using incubator modules: jdk.incubator.vector\\n' >&2;"
            + " printf 'said\\n' >&2; exit 3";
    Path jdk = java("jdk", "17.0.15", script);
    Files.writeString(
        jdk.resolve("release"),
        "JAVA_VERSION=\"17.0.15\"\nMODULES=\"java.base jdk.incubator.vector\"\n");
    environment.put("JAVA_HOME", jdk.toString());
    for (String command : new String[] {"devices", "doctor"}) {
      Outcome outcome = starling(command);
      assertEquals("data\n", outcome.out);
      assertEquals("said\n", outcome.err);
      assertEquals(3, outcome.exit);
    }
    assertTrue(starling("run", "--device", "java").err.contains("WARNING"), "a run says so");
  }

  /** Two of the JVM's own faults at once would end it while an OpenCL driver compiles. */
  @Test
  void theJvmsSignalHandlersStayFirst() throws Exception {
    unpackedRelease();
    Path jdk = java("jdk", "17.0.15", "printf '%s' \"${LD_PRELOAD:-}\"");
    environment.put("JAVA_HOME", jdk.toString());
    assertEquals("", starling("devices").out, "a Java without the library");
    Path library = Files.createDirectories(jdk.resolve("lib")).resolve("libjsig.so");
    Files.createFile(library);
    assertEquals(library.toString(), starling("devices").out);
    environment.put("LD_PRELOAD", "/other/libfirst.so");
    assertTrue(starling("devices").out.startsWith(library + ":/other/libfirst.so"));
    environment.put("LD_PRELOAD", "/other/libjsig.so");
    assertEquals("/other/libjsig.so", starling("devices").out, "already there");
  }

  @Test
  void linksFromAnywhereLeadHome() throws Exception {
    unpackedRelease();
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "printf '%s\\n' \"$@\"").toString());
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere/bin"));
    Files.createSymbolicLink(elsewhere.resolve("first"), Path.of("../../a tree/starling"));
    Files.createSymbolicLink(elsewhere.resolve("second"), Path.of("first"));
    Outcome outcome = run(elsewhere.getParent(), "bin/second", "devices");
    assertEquals(0, outcome.exit, outcome.err);
    assertContains(tree.resolve("starling.jar").toString(), outcome.out);
  }

  @Test
  void buildingNeedsACompiler() throws Exception {
    checkoutThatBuilds("exit 0");
    Path jre = java("jre", "17.0.15", "exit 0");
    Files.delete(jre.resolve("bin/javac"));
    environment.put("JAVA_HOME", jre.toString());
    Outcome outcome = starling("devices");
    assertEquals(3, outcome.exit, outcome.err);
    assertEquals("", outcome.out);
    assertContains("needs a JDK 17 or newer (with javac)", outcome.err);
    assertContains("has no compiler", outcome.err);
    assertFalse(Files.exists(tree.resolve("builds")), "the build was tried without a compiler");
  }

  @Test
  void aFailedBuildShowsItsLog() throws Exception {
    checkoutThatBuilds("echo a line of the compiler; exit 1");
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "exit 0").toString());
    Outcome outcome = starling("devices");
    assertEquals(3, outcome.exit, outcome.err);
    assertEquals("", outcome.out);
    assertContains("the build failed", outcome.err);
    assertContains("a line of the compiler", outcome.err);
    assertFalse(Files.exists(target().resolve(".building")), "the lock was left behind");
  }

  @Test
  void itBuildsOnFirstUseAndAgainOnlyWhenASourceIsNewer() throws Exception {
    checkoutThatBuilds(MAKES_JAR);
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "echo data").toString());
    Outcome first = starling("devices");
    assertEquals("0 data", first.exit + " " + first.out.strip(), first.err);
    assertEquals(1, first.err.lines().count(), first.err);
    assertContains("building", first.err);
    assertEquals(1, builds());

    assertEquals("", starling("devices").err);
    assertEquals(1, builds());

    Path source = tree.resolve("kernels/src/main/resources/org/starling/kernels/attend.cl");
    Path example = tree.resolve("host/app/examples/mine.yaml");
    Files.createDirectories(example.getParent());
    Files.createFile(example);
    for (Path path : List.of(example, example.getParent())) {
      makeOld(path, 3600);
    }
    for (Path changed :
        List.of(
            source, tree.resolve("pom.xml"), source.getParent(), example, example.getParent())) {
      int before = builds();
      makeOld(target().resolve("starling.jar"), 60);
      Files.setLastModifiedTime(changed, FileTime.from(Instant.now().minusSeconds(30)));
      starling("devices");
      assertEquals(before + 1, builds(), "after a change of " + changed);
      makeOld(changed, 3600);
    }
  }

  @Test
  void anOldJarRunsWhereNothingCanRebuildIt() throws Exception {
    checkoutThatBuilds(MAKES_JAR);
    Path jre = java("jre", "17.0.15", "echo data");
    Files.delete(jre.resolve("bin/javac"));
    environment.put("JAVA_HOME", jre.toString());
    Files.createDirectories(target());
    Files.createFile(target().resolve("starling.jar"));
    makeOld(target().resolve("starling.jar"), 7200);
    Outcome outcome = starling("devices");
    assertEquals("0 data", outcome.exit + " " + outcome.out.strip(), outcome.err);
    assertContains("sources are newer than the jar", outcome.err);
  }

  @Test
  void twoFirstUsesAtOnceBuildOnce() throws Exception {
    checkoutThatBuilds("sleep 1; " + MAKES_JAR);
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "echo data").toString());
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start(tree, "./starling", "devices"));
    }
    for (Process process : processes) {
      Outcome outcome = Outcome.of(process);
      assertEquals("0 data", outcome.exit + " " + outcome.out.strip(), outcome.err);
    }
    assertEquals(1, builds());
  }

  @Test
  void theLockOfADeadBuildIsBroken() throws Exception {
    checkoutThatBuilds(MAKES_JAR);
    environment.put("JAVA_HOME", java("jdk", "17.0.15", "echo data").toString());
    Process dead = new ProcessBuilder("sh", "-c", "exit 0").start();
    dead.waitFor();
    Path lock = Files.createDirectories(target().resolve(".building"));
    Files.writeString(lock.resolve("pid"), dead.pid() + "\n");
    Outcome outcome = starling("devices");
    assertEquals("0 data", outcome.exit + " " + outcome.out.strip(), outcome.err);
    assertFalse(Files.exists(lock), "the lock was left behind");
  }

  private static final String MAKES_JAR = "echo noise; touch host/app/target/starling.jar";

  /** A tree as unpacked from a release: the jar beside the script, no sources. */
  private void unpackedRelease() throws IOException {
    Files.createFile(tree.resolve("starling.jar"));
  }

  /** A tree with hour-old sources, whose build notes that it ran and does the given commands. */
  private void checkoutThatBuilds(String commands) throws IOException {
    script(tree.resolve("mvnw"), "echo build >>builds; " + commands);
    Path source = tree.resolve("kernels/src/main/resources/org/starling/kernels/attend.cl");
    Files.createDirectories(source.getParent());
    Files.createFile(source);
    Files.createFile(tree.resolve("pom.xml"));
    Files.createDirectories(tree.resolve("host"));
    Files.createDirectories(tree.resolve("fallback-cpu"));
    try (var all = Files.walk(tree)) {
      for (Path path : all.toList()) {
        makeOld(path, 3600);
      }
    }
  }

  private Path target() {
    return tree.resolve("host/app/target");
  }

  private int builds() throws IOException {
    return Files.readAllLines(tree.resolve("builds")).size();
  }

  /** A Java home whose java tells a version, and else does the given commands. */
  private Path java(String name, String version, String commands) throws IOException {
    Path home = temp.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    script(
        home.resolve("bin/java"),
        "case \"$*\" in *-version) echo 'openjdk version \""
            + version
            + "\" 2024-01-16' >&2; exit 0 ;; esac\n"
            + commands);
    script(home.resolve("bin/javac"), "exit 0");
    return home;
  }

  private static void script(Path path, String commands) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + commands + "\n");
    assertTrue(path.toFile().setExecutable(true));
  }

  private static void makeOld(Path path, long seconds) throws IOException {
    Files.setLastModifiedTime(path, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  private Outcome starling(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("./starling"));
    command.addAll(Arrays.asList(arguments));
    return run(tree, command.toArray(String[]::new));
  }

  private Outcome run(Path folder, String... command) throws Exception {
    return Outcome.of(start(folder, command));
  }

  private Process start(Path folder, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void assertContains(String part, String text) {
    assertTrue(text.contains(part), () -> "\"" + part + "\" is not in: " + text);
  }

  private static Path find(String tool) {
    for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
      Path candidate = Path.of(folder, tool);
      if (Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException("no " + tool + " on the path");
  }

  private static Path checkout() {
    return Path.of(System.getProperty("starling.root", "../.."));
  }

  private record Outcome(int exit, String out, String err) {
    /** What a process said; it says too little to fill a pipe while the other one is read. */
    static Outcome of(Process process) throws IOException, InterruptedException {
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
      // What the starter of processes of a JDK 25 says where this JVM has libjsig.
      err =
          err.replaceAll(
              "(?m)^OpenJDK VM warning: the use of signal\\(\\) and sigset\\(\\).*\\R", "");
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the script did not end");
      return new Outcome(process.exitValue(), out, err);
    }
  }
}
