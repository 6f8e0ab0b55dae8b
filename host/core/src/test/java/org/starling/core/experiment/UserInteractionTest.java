package org.starling.core.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.engine.EngineException;
import org.starling.core.model.Geometry;
import org.starling.core.model.Interaction;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.verify.Variant;

/** Also the class of the tests without a class path of their own. */
public class UserInteractionTest {
  private static final String SCORE =
      "public static double score(double[] q, int qAt, double[] k, int kAt, int m, int i, int j,"
          + " double beta)";

  @TempDir Path dir;

  /** A score for the tests. */
  public static double score(
      double[] q, int qAt, double[] k, int kAt, int m, int i, int j, double beta) {
    return beta * (q[qAt] - k[kAt]) + 10 * i + j;
  }

  private Interaction load(String className, String classpath) {
    String text =
        "tokens: {n: 2, d: 2}\nstop: {t: 1}\nmodel: {interaction: {class: "
            + className
            + (classpath == null ? "" : ", classpath: " + classpath)
            + "}}\n";
    ResolvedExperiment r = ExperimentFile.parse("e.yaml", text, dir, List.of()).resolve();
    ResolvedExperiment again = ExperimentFile.parse("r.yaml", r.yaml(), dir, List.of()).resolve();
    assertEquals(r.experiment(), again.experiment());
    return r.dynamics().at(0, 0).interaction();
  }

  private String refused(String className, String classpath) {
    return assertThrows(ExperimentException.class, () -> load(className, classpath)).getMessage();
  }

  private void source(String body) throws IOException {
    Files.writeString(
        dir.resolve("Near.java"), "package my;\npublic class Near {\n" + body + "\n}\n");
  }

  @Test
  void aClassOfTheClassPath() {
    Interaction i = load(UserInteractionTest.class.getName(), null);
    assertEquals(UserInteractionTest.class.getName(), i.name());
    assertEquals(2 * 3 + 10 + 2, i.score(new double[] {0, 5}, 1, new double[] {2}, 0, 1, 1, 2, 2));
    assertTrue(i.live(0, 1, 2));
  }

  @Test
  void aSourceFileIsCompiledInMemory() throws IOException {
    source(
        SCORE
            + " { return Inner.twice(beta); }\n"
            + "public static boolean live(int i, int j, int n) { return j < i && n == 5; }\n"
            + "static class Inner { static double twice(double x) { return 2 * x; } }");
    Interaction i = load("my.Near", "Near.java");
    assertEquals(6, i.score(null, 0, null, 0, 0, 0, 0, 3));
    assertTrue(i.live(2, 1, 5));
    assertFalse(i.live(1, 1, 5));
    assertArrayEquals(new String[] {"Near.java"}, dir.toFile().list());
  }

  /** A certificate of one body must not serve for another under the same name. */
  @Test
  void anotherBodyNeedsAnotherCertificate() throws IOException {
    source(SCORE + " { return beta; }");
    String one = label(load("my.Near", "Near.java"));
    assertEquals(one, label(load("my.Near", "Near.java")));
    source(SCORE + " { return 2 * beta; }");
    String other = label(load("my.Near", "Near.java"));
    assertTrue(other.contains("interaction=my.Near@"), other);
    assertFalse(one.equals(other), other);
    String own = label(load(UserInteractionTest.class.getName(), null));
    assertTrue(own.matches(".*interaction=\\S+@[0-9a-f]{16} .*"), own);
  }

  private static String label(Interaction i) {
    return new Variant(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            Variant.Form.SCALAR,
            1,
            2,
            Precision.DOUBLE,
            i)
        .label();
  }

  @Test
  void whatCannotBeBoundSaysWhatIsExpected() throws IOException {
    assertTrue(
        refused("no.Such", null)
            .startsWith("e.yaml:3:22: there is no class no.Such on the class path"));
    assertTrue(refused("my.Near", "Near.java").contains("there is no such file"));
    source("public static double score(float[] q) { return 0; }");
    String wrong = refused("my.Near", "Near.java");
    assertTrue(wrong.contains("my.Near.score(float[])"), wrong);
    assertTrue(wrong.contains("but it must be " + SCORE), wrong);
    source("");
    assertTrue(refused("my.Near", "Near.java").contains("has no method score; it needs " + SCORE));
    source(SCORE + " { return 0; }\n static boolean live(int i, int j, int n) { return true; }");
    assertTrue(
        refused("my.Near", "Near.java")
            .contains("but it must be public static boolean live(int i, int j, int n)"));
    source(SCORE + " { return x; }");
    String compile = refused("my.Near", "Near.java");
    assertTrue(compile.contains("Near.java: line 3, column"), compile);
    assertTrue(refused("my.Far", "Near.java").contains("cannot compile"));
  }

  @Test
  void aFailureInsideNamesTheTokens() throws IOException {
    source(SCORE + " { return q[9]; }");
    Interaction i = load("my.Near", "Near.java");
    EngineException e =
        assertThrows(
            EngineException.class, () -> i.score(new double[1], 0, new double[1], 0, 1, 4, 7, 1));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().startsWith("my.Near.score failed for tokens 4, 7: "), e.getMessage());
  }

  @Test
  void aScoreThatIsNotFiniteNamesTheTokens() throws IOException {
    source(SCORE + " { return 0.0 / 0.0; }");
    Interaction i = load("my.Near", "Near.java");
    EngineException e =
        assertThrows(
            EngineException.class, () -> i.score(new double[1], 0, new double[1], 0, 1, 4, 7, 1));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().startsWith("my.Near.score gave NaN for tokens 4, 7"), e.getMessage());
  }

  @Test
  void aChangedSourceIsAnError() throws IOException {
    source(SCORE + " { return 1; }");
    String yaml =
        ExperimentFile.parse(
                "e.yaml",
                "tokens: {n: 2, d: 2}\nstop: {t: 1}\n"
                    + "model: {interaction: {class: my.Near, classpath: Near.java}}\n",
                dir,
                List.of())
            .resolve()
            .yaml();
    source(SCORE + " { return 2; }");
    String message =
        assertThrows(
                ExperimentException.class,
                () -> ExperimentFile.parse("r.yaml", yaml, dir, List.of()).resolve())
            .getMessage();
    assertTrue(message.contains("Near.java has changed"), message);
  }
}
