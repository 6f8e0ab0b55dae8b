package org.starling.cpu.fast;

import java.lang.module.ModuleFinder;
import java.util.Map;

/**
 * Which strips this JVM computes with, chosen once. Both give the same bits, so that what one has
 * begun the other may go on with; the Vector API is several times faster. It is a module that a JVM
 * has only where it was started with {@code --add-modules jdk.incubator.vector}.
 *
 * @param strips the choice
 * @param why the reason where it is not the Vector API, with what to do about it; null where it is
 */
record Lanes(Strips strips, String why) {
  private static final String MODULE = "jdk.incubator.vector";

  /** Where a JVM does not turn the Vector API into instructions, it is slower than plain loops. */
  private static final Map<String, String> WITHOUT_COMPILER =
      Map.of(
          "interpreted", "the JVM only interprets",
          "emulated-client", "the JVM's optimising compiler is off",
          "OpenJ9", "OpenJ9 does not compile it to vector instructions");

  private static final Lanes CHOICE = choose();

  static Lanes choice() {
    return CHOICE;
  }

  /** One line for people. */
  String sentence() {
    return strips.description() + (why == null ? "" : ", no Vector API: " + why);
  }

  private static Lanes choose() {
    if (ModuleFinder.ofSystem().find(MODULE).isEmpty()) {
      return plain("this Java does not have the module " + MODULE);
    }
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return plain("Java was started without --add-modules " + MODULE);
    }
    String vm = System.getProperty("java.vm.name") + ", " + System.getProperty("java.vm.info");
    for (Map.Entry<String, String> e : WITHOUT_COMPILER.entrySet()) {
      if (vm.contains(e.getKey())) {
        return plain(e.getValue() + " (" + vm + ")");
      }
    }
    try {
      return new Lanes(vector(), null);
    } catch (UnsupportedOperationException | LinkageError e) {
      return plain(String.valueOf(e.getMessage()));
    }
  }

  private static Strips vector() {
    int bits = VectorStrips.bits();
    boolean x86 = System.getProperty("os.arch").matches("amd64|x86_64|x86|i386");
    int least = x86 ? 256 : 128;
    if (bits < least) {
      throw new UnsupportedOperationException(
          "its vectors have "
              + bits
              + " bits here; a fused multiply-add needs a processor with "
              + least);
    }
    return new VectorStrips();
  }

  private static Lanes plain(String why) {
    return new Lanes(new PlainStrips(), why);
  }
}
