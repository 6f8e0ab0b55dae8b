package org.starling.core.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.starling.core.engine.Engine;
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
    Certificate.Key key = Certificate.Key.of(engine.identity());
    Optional<Certificate> known = find(key);
    if (known.isPresent() && known.get().covers(need.labels())) {
      return stored(known.get());
    }
    beforeMeasuring.run();
    List<Measurement> measured = new Verifier(engine, definition, judge, m -> {}).needed(need);
    Certificate fresh = Certificate.of(key, true, measured);
    return stored(known.isPresent() ? known.get().with(fresh) : fresh);
  }

  /** Measures the whole programme and stores the result. */
  public Certificate all(Engine engine, Verifier.Extent extent, Consumer<Measurement> listener) {
    List<Measurement> measured = new Verifier(engine, definition, judge, listener).all(extent);
    return stored(Certificate.of(Certificate.Key.of(engine.identity()), false, measured));
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
