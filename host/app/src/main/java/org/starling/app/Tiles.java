package org.starling.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.starling.app.device.Selection;
import org.starling.bench.tune.Tuned;
import org.starling.bench.tune.Tuning;
import org.starling.bench.tune.TuningStore;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.TileChoices;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * Tile sizes for a run that begins: those that `tune` found for its device, precision, mask and
 * dimension, else the engine's own.
 *
 * @param tiles the setting; null for the engine's own
 * @param from where they come from, for the manifest
 */
record Tiles(String tiles, String from) {
  static final String SHIPPED = "shipped";
  static final String PINNED = "the run's checkpoint";

  EngineOptions options(Precision precision) {
    return tiles == null
        ? EngineOptions.of(precision)
        : new EngineOptions(precision, Map.of(TileChoices.SETTING, tiles));
  }

  /** For a run of this layer. */
  static Tiles choose(
      Terminal terminal, Selection selection, Precision precision, Layer layer, boolean quiet) {
    return choose(terminal, selection, precision, layer.mask(), layer.d(), quiet);
  }

  /** Looks at the device's tuning file, and says so where it is used or is out of date. */
  static Tiles choose(
      Terminal terminal,
      Selection selection,
      Precision precision,
      Mask mask,
      int d,
      boolean quiet) {
    Tiles shipped = new Tiles(null, SHIPPED);
    TuningStore store = new TuningStore(terminal.tunings());
    Path file = store.file(selection.device().name());
    Optional<Tuning> tuning = read(store, selection.device().name());
    if (tuning.isEmpty()) {
      return shipped;
    }
    EngineIdentity now;
    try (Engine engine = selection.open(EngineOptions.of(precision))) {
      if (!(engine instanceof TileChoices)) {
        return shipped;
      }
      now = engine.identity();
    }
    Optional<String> stale = tuning.get().staleness(now);
    if (stale.isPresent()) {
      if (!quiet) {
        terminal.say(
            "tile sizes: the shipped ones, since "
                + file
                + " was measured "
                + stale.get()
                + "; `starling tune` measures again");
      }
      return shipped;
    }
    Optional<Tuned> found = tuning.get().find(precision, mask.causal(), d);
    if (found.isEmpty() || found.get().tiles().equals(found.get().shipped())) {
      return shipped;
    }
    if (!quiet) {
      terminal.say("tile sizes: " + found.get().tiles() + ", tuned (" + file + ")");
    }
    return new Tiles(found.get().tiles(), file.toString());
  }

  static Optional<Tuning> read(TuningStore store, String device) {
    try {
      return store.find(device);
    } catch (IOException e) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "the tuning file "
              + store.file(device)
              + " cannot be read ("
              + e.getMessage()
              + "); check its permissions, or delete it to use the shipped tile sizes",
          e);
    }
  }
}
