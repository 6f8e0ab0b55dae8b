package org.starling.app;

import org.starling.app.device.DeviceCatalogue;
import org.starling.app.device.DeviceRequest;
import org.starling.app.device.DeviceSelector;
import org.starling.app.device.Selection;
import org.starling.core.model.Precision;
import picocli.CommandLine.Option;

/** The option {@code --device}, shared by the commands that compute. */
final class DeviceOption {
  @Option(
      names = "--device",
      paramLabel = "D",
      description =
          "auto, gpu, cpu (an OpenCL CPU device), java, reference, opencl:P:D, or a part of a"
              + " device's name. Default: the device of the run that goes on; for a new one"
              + " STARLING_DEVICE, else the experiment, else auto.")
  private String device;

  /** Whether the command line, or the environment without it, names the reference engine. */
  boolean asksForReference(Terminal terminal) {
    return DeviceRequest.resolve(device, terminal.environment(), null).kind()
        == DeviceRequest.Kind.REFERENCE;
  }

  /**
   * Chooses, and says what was chosen on the error stream.
   *
   * @param experiment the experiment's {@code execution.device}, or null
   * @param userInteraction whether the run needs an engine that runs Java
   */
  Selection choose(
      Terminal terminal,
      String experiment,
      Precision precision,
      boolean userInteraction,
      boolean quiet) {
    return choose(
        terminal,
        DeviceRequest.resolve(device, terminal.environment(), experiment),
        precision,
        userInteraction,
        quiet);
  }

  /**
   * Chooses for a run that goes on: its own device unless the command line names another. The
   * environment has no say, since another device computes other bits.
   *
   * @param recorded id of the device that the run began on; null if not on record, and then the
   *     choice is that of a new run
   * @param experiment the experiment's {@code execution.device}, or null
   */
  Selection chooseAgain(
      Terminal terminal,
      String recorded,
      String experiment,
      Precision precision,
      boolean userInteraction,
      boolean quiet) {
    if (device != null || recorded == null) {
      return choose(terminal, experiment, precision, userInteraction, quiet);
    }
    return choose(
        terminal,
        DeviceRequest.parse(recorded, DeviceRequest.RECORDED),
        precision,
        userInteraction,
        quiet);
  }

  private static Selection choose(
      Terminal terminal,
      DeviceRequest request,
      Precision precision,
      boolean userInteraction,
      boolean quiet) {
    Selection s =
        new DeviceSelector(DeviceCatalogue.discover(request), userInteraction)
            .select(request, precision);
    if (!quiet) {
      terminal.say(s.describe());
    }
    return s;
  }
}
