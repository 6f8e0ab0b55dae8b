package org.starling.app.device;

import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.EngineException;

/**
 * What a person asked to compute on, in the device grammar: {@code auto}, {@code gpu}, {@code cpu},
 * {@code java}, {@code reference}, {@code tornado}, {@code tornado:NAME}, {@code opencl:P:D}, or a
 * part of a device's name.
 *
 * @param kind which of the forms
 * @param text the request as written
 * @param origin where it was written, for messages: {@code --device}, {@code STARLING_DEVICE}, ...
 */
public record DeviceRequest(Kind kind, String text, String origin) {
  /** Environment variable with the same grammar as {@code --device}. */
  public static final String VARIABLE = "STARLING_DEVICE";

  /** Origin of a request that repeats the choice of a run that goes on. */
  public static final String RECORDED = "the run's own device";

  /** Forms of the grammar. */
  public enum Kind {
    AUTO,
    GPU,
    CPU,
    JAVA,
    REFERENCE,
    TORNADO,
    OPENCL_INDEX,
    NAME_PART
  }

  /**
   * Reads one request.
   *
   * @throws EngineException of kind REQUEST when it is not in the grammar
   */
  public static DeviceRequest parse(String text, String origin) {
    String t = text.strip();
    if (t.isEmpty()) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          origin + " is empty; write auto, gpu, cpu, java, reference, opencl:P:D or a name part");
    }
    String lower = t.toLowerCase(Locale.ROOT);
    Kind kind =
        switch (lower) {
          case "auto" -> Kind.AUTO;
          case "gpu" -> Kind.GPU;
          case "cpu" -> Kind.CPU;
          case "java" -> Kind.JAVA;
          case "reference" -> Kind.REFERENCE;
          case "tornado" -> Kind.TORNADO;
          default -> prefixed(lower, text, origin);
        };
    return new DeviceRequest(kind, kind == Kind.NAME_PART ? t : lower, origin);
  }

  private static Kind prefixed(String lower, String text, String origin) {
    if (lower.startsWith("tornado:")) {
      return Kind.TORNADO;
    }
    if (lower.startsWith("opencl:")) {
      if (!lower.matches("opencl:\\d{1,4}:\\d{1,4}")) {
        throw new EngineException(
            EngineException.Kind.REQUEST,
            origin
                + " "
                + text
                + ": an OpenCL device is written opencl:P:D with the numbers of platform and device"
                + " as `starling devices` lists them, e.g. opencl:0:0");
      }
      return Kind.OPENCL_INDEX;
    }
    return Kind.NAME_PART;
  }

  /**
   * The request in force: the command line, else the environment variable, else the experiment's
   * {@code execution.device}, else {@code auto}.
   *
   * @param option value of {@code --device}, or null
   * @param environment environment variables
   * @param experiment value of {@code execution.device}, or null
   */
  public static DeviceRequest resolve(
      String option, Map<String, String> environment, String experiment) {
    if (option != null) {
      return parse(option, "--device");
    }
    String variable = environment.get(VARIABLE);
    if (variable != null && !variable.isBlank()) {
      return parse(variable, VARIABLE);
    }
    if (experiment != null) {
      return parse(experiment, "execution.device");
    }
    return parse("auto", "default");
  }
}
