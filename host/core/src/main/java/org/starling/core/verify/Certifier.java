package org.starling.core.verify;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Judge;

/** Gives an engine the certificate that a run needs, measuring what nobody has measured before. */
public final class Certifier {
  private final CertificateStore store;
  private final Engine definition;
  private final Judge judge;

  public Certifier(CertificateStore store, Engine definition, Judge judge) {
    this.store = store;
    this.definition = definition;
    this.judge = judge;
  }

  /**
   * The certificate that covers the need: from the store, else measured now and stored as partial.
   *
   * @param beforeMeasuring called once if something has to be measured
   * @throws IOException when the store cannot be read or written
   */
  public Certificate ensure(Engine engine, Need need, Runnable beforeMeasuring) throws IOException {
    Certificate.Key key = Certificate.Key.of(engine.identity());
    Set<String> needed = need.labels();
    Optional<Certificate> known = store.find(key);
    if (known.isPresent() && known.get().covers(needed)) {
      return stored(known.get());
    }
    beforeMeasuring.run();
    List<Measurement> measured = new Verifier(engine, definition, judge, m -> {}).needed(need);
    Certificate fresh = Certificate.of(key, true, measured);
    return stored(known.isPresent() ? known.get().with(fresh) : fresh);
  }

  /** Measures the whole programme and stores the result. */
  public Certificate all(Engine engine, Verifier.Extent extent, Consumer<Measurement> listener)
      throws IOException {
    List<Measurement> measured = new Verifier(engine, definition, judge, listener).all(extent);
    return stored(Certificate.of(Certificate.Key.of(engine.identity()), false, measured));
  }

  /** Joined certificates have an id of their own, which must lead to a file too. */
  private Certificate stored(Certificate certificate) throws IOException {
    if (!java.nio.file.Files.exists(store.file(certificate.id()))) {
      store.save(certificate);
    }
    return certificate;
  }
}
