package org.starling.opencl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;
import org.starling.kernels.KernelCatalogue;
import org.starling.kernels.KernelSource;
import org.starling.kernels.KernelVariant;
import org.starling.opencl.cl.BinaryStore;
import org.starling.opencl.cl.Device;

/** Says what computes: device, driver, and a hash over all kernel texts and the build options. */
final class KernelIdentity {
  private KernelIdentity() {}

  static EngineIdentity of(Device device, Precision precision, Map<String, String> layerSettings) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("precision", precision.name().toLowerCase(Locale.ROOT));
    settings.put("build options", KernelVariant.BASE_OPTIONS);
    settings.putAll(layerSettings);
    return new EngineIdentity(
        OpenClEngine.NAME,
        device.name(),
        device.driver(),
        device.platformName() + ", " + device.platformVersion(),
        hash(),
        settings);
  }

  /** Sha256 over name and text of every kernel that ships, and the options of every build. */
  static String hash() {
    List<String> parts = new ArrayList<>();
    parts.add(KernelVariant.BASE_OPTIONS);
    for (KernelSource source : KernelCatalogue.all()) {
      parts.add(source.entry());
      parts.add(source.text());
    }
    return BinaryStore.key(parts.toArray(String[]::new));
  }
}
