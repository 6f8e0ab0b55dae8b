package org.starling.app.device;

import java.util.List;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.EngineProvider.EngineOptions;

/**
 * The device that was chosen, why, and what became of every other one.
 *
 * @param device the chosen device
 * @param provider opens it
 * @param reason why this one, as a clause
 * @param others all other devices in the order of preference, each with the reason it was not taken
 */
public record Selection(
    DeviceInfo device, EngineProvider provider, String reason, List<Passed> others) {

  /** Why a usable device was left alone where another was named. */
  static final String NOT_ASKED_FOR = "not asked for";

  /** A device that was not taken. */
  public record Passed(DeviceInfo device, String why) {}

  public Selection {
    others = List.copyOf(others);
  }

  public Engine open(EngineOptions options) {
    return provider.open(device, options);
  }

  /** The choice in a few lines for a person: the device first, then the others that might do. */
  public String describe() {
    StringBuilder text =
        new StringBuilder("device: ").append(title(device)).append(" - ").append(reason);
    for (Passed p : others) {
      if (p.why().equals(NOT_ASKED_FOR)) {
        continue;
      }
      text.append(System.lineSeparator())
          .append("  not ")
          .append(title(p.device()))
          .append(": ")
          .append(p.why());
    }
    return text.toString();
  }

  static String title(DeviceInfo d) {
    return d.name() == null || d.name().isBlank() || d.name().equals(d.id())
        ? d.id()
        : d.id() + " (" + d.name() + ")";
  }
}
