package org.starling.opencl.attention;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.kernels.ReplicaKernels;

/**
 * How whole steps are made, and of what: decides the bits, so an engine's identity names it and a
 * resumed run asks for the same. Work is that of a stage of one replica, in multiply-adds as {@link
 * AttentionPass#workPerRow} counts them.
 *
 * @param panel keys that the kernels of few dimensions sum apart from others
 * @param alone a replica without many others, in few dimensions, takes whole steps on one core up
 *     to so much work
 * @param shared a replica in many dimensions takes whole steps on all cores of a CPU device up to
 *     so much work
 */
record StepChoice(int panel, long alone, long shared) {
  /** Name among an engine's settings. */
  static final String SETTING = "whole steps";

  /**
   * Measured on two cores. A stage of {@code alone} takes one of them about 70 us, about as much as
   * launches and both cores together: n = 512 at d = 2 gains a quarter, 1024 loses one. A stage of
   * {@code shared} takes both 1.7 ms, of which launches would be a twentieth.
   */
  private static final StepChoice USUAL =
      new StepChoice(ReplicaKernels.PANEL, 6_500_000, 170_000_000);

  private static final Pattern TEXT =
      Pattern.compile("panel=(\\d{1,4}) alone=(\\d{1,18}) shared=(\\d{1,18})");

  StepChoice {
    if (panel < 1) {
      throw new IllegalArgumentException("a panel has at least 1 key, not " + panel);
    }
  }

  /**
   * @throws EngineException of kind REQUEST if the pinned setting cannot be read
   */
  static StepChoice of(Map<String, String> pinned) {
    String asked = pinned.get(SETTING);
    if (asked == null) {
      return USUAL;
    }
    Matcher m = TEXT.matcher(asked.strip());
    if (!m.matches() || Integer.parseInt(m.group(1)) < 1) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "the setting of whole steps reads like '"
              + USUAL.text()
              + "', got '"
              + asked
              + "'. Leave it out for the default, or resume with the version that began the run");
    }
    return new StepChoice(
        Integer.parseInt(m.group(1)), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)));
  }

  String text() {
    return "panel=%d alone=%d shared=%d".formatted(panel, alone, shared);
  }

  /** Multiply-adds of a stage. */
  static double work(Shape s, Layer layer) {
    return s.n() * AttentionPass.workPerRow(s, layer);
  }
}
