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
              + " device's name. Default: STARLING_DEVICE, else the experiment, else auto.")
  private String device;

  /**
   * Chooses, and says what was chosen on the error stream.
   *
   * @param experiment the experiment's {@code execution.device}, or null
   */
  Selection choose(Terminal terminal, String experiment, Precision precision, boolean quiet) {
    DeviceRequest request = DeviceRequest.resolve(device, terminal.environment(), experiment);
    Selection s = new DeviceSelector(DeviceCatalogue.discover()).select(request, precision);
    if (!quiet) {
      terminal.say(s.describe());
    }
    return s;
  }
}
