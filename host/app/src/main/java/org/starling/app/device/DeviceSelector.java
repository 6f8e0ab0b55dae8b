package org.starling.app.device;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.starling.app.device.DeviceCatalogue.Entry;
import org.starling.app.device.Selection.Passed;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineException;
import org.starling.core.model.Precision;

/**
 * Chooses the device for a request. A request that names something gets that or an error with the
 * next step; only {@code auto} looks further, and says what it passed over and why.
 */
public final class DeviceSelector {
  private static final String NO_ENGINE =
      "The program is incomplete: build it again with ./mvnw -q verify.";

  private final DeviceCatalogue catalogue;
  private final boolean userInteraction;

  /**
   * @param userInteraction whether the run has a user's own interaction, which only engines that
   *     run Java can compute; {@code auto} then passes over the others
   */
  public DeviceSelector(DeviceCatalogue catalogue, boolean userInteraction) {
    this.catalogue = catalogue;
    this.userInteraction = userInteraction;
  }

  /**
   * @param precision precision of the run; {@code DOUBLE} needs fp64
   * @throws EngineException of kind ENVIRONMENT when no device answers the request, of kind REQUEST
   *     when the request itself cannot be met by this build or is ambiguous
   */
  public Selection select(DeviceRequest request, Precision precision) {
    return switch (request.kind()) {
      case AUTO -> automatic(precision);
      case TORNADO ->
          throw refuse(
              EngineException.Kind.ENVIRONMENT,
              request,
              "the TornadoVM engine is not part of this build.",
              "Take --device gpu or cpu for OpenCL, or --device java.");
      case GPU ->
          best(
              request,
              precision,
              d -> d.engine().equals("opencl") && isGpu(d),
              "OpenCL GPU",
              "Install the GPU vendor's OpenCL driver (then see `starling devices`), or compute on"
                  + " the CPU with --device cpu (OpenCL) or --device java (no OpenCL needed).");
      case CPU ->
          best(
              request,
              precision,
              d -> d.engine().equals("opencl") && d.type().equals("cpu"),
              "OpenCL CPU device",
              "Install one (Debian and Ubuntu: apt-get install pocl-opencl-icd), ask `starling"
                  + " doctor` why one that is installed does not show, or use --device java, the CPU"
                  + " engine that needs no OpenCL.");
      case JAVA ->
          best(request, precision, d -> d.engine().equals("java"), "java engine", NO_ENGINE);
      case REFERENCE ->
          best(
              request,
              precision,
              d -> d.engine().equals("reference"),
              "reference engine",
              NO_ENGINE);
      case OPENCL_INDEX ->
          best(
              request,
              precision,
              d -> d.id().equals(request.text()),
              "OpenCL device " + request.text(),
              "List the devices with `starling devices`.");
      default -> named(request, precision);
    };
  }

  private Selection automatic(Precision precision) {
    List<Entry> ranked = ranked();
    List<Passed> passed = new ArrayList<>();
    Entry chosen = null;
    for (Entry e : ranked) {
      DeviceInfo d = e.device();
      String obstacle = obstacle(d, precision);
      if (obstacle == null && userInteraction && d.engine().equals("opencl")) {
        obstacle = "cannot run model.interaction, which is Java code";
      }
      if (obstacle == null && d.engine().equals("reference")) {
        obstacle = "the definition, slow on purpose; taken only by name";
      }
      if (obstacle == null && chosen == null) {
        chosen = e;
      } else {
        passed.add(
            new Passed(d, obstacle == null ? "usable, but " + ranking(d, chosen) : obstacle));
      }
    }
    if (chosen == null) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "no device can run this" + in(precision) + ": " + reasons(passed) + " " + NO_ENGINE);
    }
    return new Selection(
        chosen.device(), chosen.provider(), "chosen automatically: " + rankName(chosen), passed);
  }

  private Selection best(
      DeviceRequest request,
      Precision precision,
      Predicate<DeviceInfo> wanted,
      String what,
      String next) {
    List<Passed> passed = new ArrayList<>();
    List<Passed> refused = new ArrayList<>();
    Entry chosen = null;
    for (Entry e : ranked()) {
      DeviceInfo d = e.device();
      if (!wanted.test(d)) {
        String unusable = d.usable() ? Selection.NOT_ASKED_FOR : d.unavailable();
        passed.add(new Passed(d, unusable));
        continue;
      }
      String obstacle = obstacle(d, precision);
      if (obstacle != null) {
        passed.add(new Passed(d, obstacle));
        refused.add(new Passed(d, obstacle));
      } else if (chosen == null) {
        chosen = e;
      } else {
        passed.add(new Passed(d, "usable, but " + ranking(d, chosen)));
      }
    }
    if (chosen == null) {
      throw refuse(
          EngineException.Kind.ENVIRONMENT, request, missing(what, precision, refused), next);
    }
    return new Selection(
        chosen.device(),
        chosen.provider(),
        request.origin().equals(DeviceRequest.RECORDED)
            ? request.origin()
            : "asked for with " + request.origin() + " " + request.text(),
        passed);
  }

  /** Why nothing of the kind is there: the refused ones, else what stops OpenCL altogether. */
  private String missing(String what, Precision precision, List<Passed> refused) {
    if (!refused.isEmpty()) {
      return "no usable " + what + in(precision) + ": " + reasons(refused);
    }
    List<Passed> why = new ArrayList<>();
    for (Entry e : catalogue.entries()) {
      if (e.device().engine().equals("opencl") && !e.device().usable()) {
        why.add(new Passed(e.device(), e.device().unavailable()));
      }
    }
    return why.isEmpty()
        ? "there is no " + what + " on this machine."
        : "there is no " + what + " on this machine: " + reasons(why);
  }

  private Selection named(DeviceRequest request, Precision precision) {
    String part = request.text().toLowerCase(Locale.ROOT);
    Predicate<DeviceInfo> match = d -> d.name().toLowerCase(Locale.ROOT).contains(part);
    List<DeviceInfo> matches =
        ranked().stream().map(Entry::device).filter(match).filter(DeviceInfo::usable).toList();
    if (matches.size() > 1) {
      List<String> titles = matches.stream().map(Selection::title).toList();
      throw refuse(
          EngineException.Kind.REQUEST,
          request,
          "matches " + matches.size() + " devices: " + String.join(", ", titles) + ".",
          "Name one by its id, e.g. --device " + matches.get(0).id() + ".");
    }
    List<String> known = ranked().stream().map(e -> Selection.title(e.device())).toList();
    return best(
        request,
        precision,
        match,
        "device whose name contains \"" + request.text() + "\"",
        "Devices here: " + String.join(", ", known) + ". Or use auto, gpu, cpu, java, reference.");
  }

  /** All devices, the preferred first: GPUs, other OpenCL devices, java, reference. */
  private List<Entry> ranked() {
    List<Entry> all = new ArrayList<>(catalogue.entries());
    all.sort(
        Comparator.comparingInt((Entry e) -> rank(e.device()))
            .thenComparing(e -> !e.device().usable())
            .thenComparing(
                Comparator.comparingLong((Entry e) -> e.device().memoryBytes()).reversed())
            .thenComparing(e -> e.device().id()));
    return all;
  }

  private static int rank(DeviceInfo d) {
    if (d.engine().equals("opencl")) {
      return isGpu(d) ? 0 : d.type().equals("accelerator") ? 1 : 2;
    }
    return d.engine().equals("java") ? 3 : d.engine().equals("reference") ? 5 : 4;
  }

  private static boolean isGpu(DeviceInfo d) {
    return d.type().equals("gpu");
  }

  private static String rankName(Entry e) {
    return switch (rank(e.device())) {
      case 0 -> "the first usable OpenCL GPU";
      case 1 -> "no usable OpenCL GPU, the first usable OpenCL accelerator";
      case 2 -> "no usable OpenCL GPU, the first usable OpenCL CPU device";
      default -> "no usable OpenCL device, the CPU engine in Java";
    };
  }

  private static String ranking(DeviceInfo d, Entry chosen) {
    return rank(d) == rank(chosen.device())
        ? "another of the same kind comes first (more memory, then lower number)"
        : "ranked after " + chosen.device().id();
  }

  private static String obstacle(DeviceInfo d, Precision precision) {
    if (!d.usable()) {
      return d.unavailable();
    }
    if (precision == Precision.DOUBLE && !d.fp64()) {
      return "has no fp64, which --precision double needs; --precision mixed keeps a compensated"
          + " state without it";
    }
    return null;
  }

  private static String in(Precision precision) {
    return precision == Precision.DOUBLE ? " in float64" : "";
  }

  private static String reasons(List<Passed> passed) {
    StringBuilder text = new StringBuilder();
    for (Passed p : passed) {
      String why = p.why().strip();
      text.append(text.isEmpty() ? "" : " ")
          .append(Selection.title(p.device()))
          .append(": ")
          .append(why)
          .append(why.endsWith(".") ? "" : ".");
    }
    return text.toString();
  }

  private static EngineException refuse(
      EngineException.Kind kind, DeviceRequest request, String what, String next) {
    return new EngineException(
        kind, request.origin() + " " + request.text() + ": " + what + " " + next);
  }
}
