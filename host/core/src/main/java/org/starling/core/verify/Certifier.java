package org.starling.core.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.Judge;

/** Gives an engine the certificate that a run needs, measuring what nobody has measured before. */
public final class Certifier {
  private final CertificateStore store;
  private final Engine definition;
  private final Judge judge;
  private final Consumer<IOException> trouble;

  /**
   * @param trouble told when the store cannot be read or written; the measurements hold all the
   *     same, but will have to be made again
   */
  public Certifier(
      CertificateStore store, Engine definition, Judge judge, Consumer<IOException> trouble) {
    this.store = store;
    this.definition = definition;
    this.judge = judge;
    this.trouble = trouble;
  }

  /**
   * The certificate that covers the need: from the store, else measured now and stored as partial.
   *
   * @param beforeMeasuring called once if something has to be measured
   */
  public Certificate ensure(Engine engine, Need need, Runnable beforeMeasuring) {
    return ensure(
        engine.identity(),
        need,
        () -> {
          beforeMeasuring.run();
          return new Verifier(engine, definition, judge, m -> {}).needed(need);
        });
  }

  /**
   * The same on an engine that is opened only if something has to be measured.
   *
   * @param identity identity of the engine
   */
  public Certificate ensure(
      EngineIdentity identity, Need need, Supplier<Engine> engine, Runnable beforeMeasuring) {
    return ensure(
        identity,
        need,
        () -> {
          beforeMeasuring.run();
          try (Engine opened = engine.get()) {
            return new Verifier(opened, definition, judge, m -> {}).needed(need);
          }
        });
  }

  private Certificate ensure(
      EngineIdentity identity, Need need, Supplier<List<Measurement>> measuring) {
    Certificate.Key key = Certificate.Key.of(identity);
    Optional<Certificate> known = find(key);
    if (known.isPresent() && known.get().covers(need.labels())) {
      return stored(known.get());
    }
    Certificate fresh = Certificate.of(key, true, measuring.get());
    return stored(known.isPresent() ? known.get().with(fresh) : fresh);
  }

  /**
   * Measures the whole programme and stores the result.
   *
   * @param expanding the same engine opened for sums by a series; null if it has none
   * @param halving the same engine opened for keys and values of 16 bits; null if it has none
   */
  public Certificate all(
      Engine engine,
      Engine expanding,
      Engine halving,
      Verifier.Extent extent,
      Consumer<Measurement> listener) {
    List<Measurement> measured =
        new ArrayList<>(new Verifier(engine, definition, judge, listener).all(extent));
    if (expanding != null) {
      measured.addAll(new Verifier(expanding, definition, judge, listener).expansions());
    }
    if (halving != null) {
      measured.addAll(new HalfChecks(halving, judge).all(listener));
    }
    return stored(Certificate.of(Certificate.Key.of(engine.identity()), false, measured));
  }

  /**
   * Measures what the engine's tile sizes decide, at some dimensions; stored beside what is known
   * of this engine.
   *
   * @param listener told each measurement as it is made
   * @return the lines measured now
   */
  public Certificate tiles(Engine engine, int[] dimensions, Consumer<Measurement> listener) {
    Certificate.Key key = Certificate.Key.of(engine.identity());
    List<Measurement> measured = new ArrayList<>();
    for (int d : dimensions) {
      measured.addAll(new TileChecks(engine, definition, judge).all(d, listener));
    }
    Certificate fresh = Certificate.of(key, true, measured);
    stored(find(key).map(known -> known.with(fresh)).orElse(fresh));
    return fresh;
  }

  private Optional<Certificate> find(Certificate.Key key) {
    try {
      return store.find(key);
    } catch (IOException e) {
      trouble.accept(e);
      return Optional.empty();
    }
  }

  /** Joined certificates have an id of their own, which must lead to a file too. */
  private Certificate stored(Certificate certificate) {
    try {
      if (!Files.exists(store.file(certificate.id()))) {
        store.save(certificate);
      }
    } catch (IOException e) {
      trouble.accept(e);
    }
    return certificate;
  }
}
