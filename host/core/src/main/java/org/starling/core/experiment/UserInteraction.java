package org.starling.core.experiment;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.EngineException;
import org.starling.core.model.Interaction;

/** The user's static methods bound to the interface that engines call. */
final class UserInteraction implements Interaction {
  private static final MethodType SCORE =
      MethodType.methodType(
          double.class,
          double[].class,
          int.class,
          double[].class,
          int.class,
          int.class,
          int.class,
          int.class,
          double.class);
  private static final MethodType LIVE =
      MethodType.methodType(boolean.class, int.class, int.class, int.class);
  private static final String SCORE_TEXT =
      "public static double score(double[] q, int qAt, double[] k, int kAt, int m, int i, int j,"
          + " double beta)";
  private static final String LIVE_TEXT = "public static boolean live(int i, int j, int n)";

  private final String name;
  private final String codeHash;
  private final MethodHandle score;
  private final MethodHandle live;

  private UserInteraction(String name, String codeHash, MethodHandle score, MethodHandle live) {
    this.name = name;
    this.codeHash = codeHash;
    this.score = score;
    this.live = live;
  }

  /**
   * Loads a class and binds {@code score} and, where it has one, {@code live}.
   *
   * @param classpath jar, folder of classes or .java file; null for the running program's class
   *     path
   * @throws IllegalArgumentException with what is wrong and what is expected
   */
  static Interaction bind(String className, InputFile classpath) {
    Class<?> type = ClassSource.load(className, classpath);
    MethodHandle score = method(type, "score", SCORE, SCORE_TEXT);
    if (score == null) {
      throw new IllegalArgumentException(
          "class " + className + " has no method score; it needs " + SCORE_TEXT);
    }
    return new UserInteraction(
        className, ClassSource.hash(type, classpath), score, method(type, "live", LIVE, LIVE_TEXT));
  }

  /** The method, or null if the class has none of that name. */
  private static MethodHandle method(
      Class<?> type, String name, MethodType signature, String expected) {
    List<java.lang.reflect.Method> named =
        Arrays.stream(type.getDeclaredMethods()).filter(m -> m.getName().equals(name)).toList();
    if (named.isEmpty()) {
      return null;
    }
    try {
      return MethodHandles.publicLookup().findStatic(type, name, signature);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw new IllegalArgumentException(
          "class "
              + type.getName()
              + ": found "
              + named.get(0)
              + ", but it must be "
              + expected
              + " in a public class",
          e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String codeHash() {
    return codeHash;
  }

  @Override
  public double score(double[] q, int qAt, double[] k, int kAt, int m, int i, int j, double beta) {
    double s;
    try {
      s = (double) score.invokeExact(q, qAt, k, kAt, m, i, j, beta);
    } catch (Throwable e) {
      throw failed("score", i, j, e);
    }
    if (!Double.isFinite(s)) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          name
              + ".score gave "
              + s
              + " for tokens "
              + i
              + ", "
              + j
              + "; a score must be finite (to hide a key write a method live)");
    }
    return s;
  }

  @Override
  public boolean live(int i, int j, int n) {
    if (live == null) {
      return true;
    }
    try {
      return (boolean) live.invokeExact(i, j, n);
    } catch (Throwable e) {
      throw failed("live", i, j, e);
    }
  }

  private RuntimeException failed(String method, int i, int j, Throwable cause) {
    if (cause instanceof OutOfMemoryError error) {
      throw error;
    }
    // Not an IllegalStateException: parallel loops wrap what they can copy, and this one they
    // can't.
    return new EngineException(
        EngineException.Kind.REQUEST,
        name + "." + method + " failed for tokens " + i + ", " + j + ": " + cause,
        cause);
  }
}
