package org.starling.core.engine;

import java.util.List;

/**
 * Implemented by an engine whose tile sizes may be chosen. They decide the order of sums, so the
 * bits: an engine names those in force among its {@link EngineIdentity#settings}, and takes others
 * through {@link EngineProvider.EngineOptions#pinned}.
 */
public interface TileChoices {
  /** Name of the setting, here and there. */
  String SETTING = "tiles";

  /**
   * Values of the setting that are worth trying for tokens of dimension d, the shipped one first;
   * empty where no tiles are used.
   */
  List<String> tileCandidates(int d);

  /** Whether the shipped value was measured on a device of this kind, rather than reasoned out. */
  boolean shippedTilesMeasured();
}
