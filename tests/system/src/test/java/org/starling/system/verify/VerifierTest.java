package org.starling.system.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.run.RowCheck;
import org.starling.core.verify.Certificate;
import org.starling.core.verify.CertificateStore;
import org.starling.core.verify.Certifier;
import org.starling.core.verify.Need;
import org.starling.core.verify.RowJudge;
import org.starling.core.verify.Variant;
import org.starling.core.verify.VerificationTable;
import org.starling.core.verify.Verifier;
import org.starling.cpu.fast.FastProvider;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;

/** A sound engine passes; one with a single fault fails, and the table says where. */
final class VerifierTest {
  @TempDir Path temp;

  private static Engine java(Precision precision) {
    FastProvider provider = new FastProvider();
    return provider.open(provider.devices().get(0), EngineOptions.of(precision));
  }

  private static void fail(IOException e) {
    throw new UncheckedIOException(e);
  }

  private static Need need(int d, Precision precision) {
    Variant v =
        new Variant(
            Geometry.SPHERE,
            Mask.CAUSAL,
            Normalisation.SOFTMAX,
            Variant.Form.SCALAR,
            1,
            d,
            precision,
            null);
    return new Need(Set.of(v), Set.of("energy", "clusters", "inner-products"));
  }

  private static VerificationTable measure(Engine engine, int d) {
    try (Engine definition = new ReferenceEngine()) {
      return VerificationTable.of(
          new Verifier(engine, definition, new ReferenceJudge(), m -> {})
              .needed(need(d, engine.precision())));
    }
  }

  private static List<String> failures(VerificationTable table) {
    return table.rows().stream()
        .filter(r -> !r.passed())
        .map(r -> r.operation())
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void aSoundEnginePasses(Precision precision) {
    for (int d : new int[] {3, 64}) {
      try (Engine engine = java(precision)) {
        VerificationTable table = measure(engine, d);
        assertTrue(table.passed(), table::text);
        assertTrue(table.rows().size() > 15, table::text);
      }
    }
  }

  static Stream<Arguments> faults() {
    SpoiltEngine.Fault scaled = (v, call) -> v[v.length - 1] *= 1.001;
    SpoiltEngine.Fault missing = (v, call) -> v[v.length - 1] = Double.NaN;
    SpoiltEngine.Fault wavering = (v, call) -> v[v.length - 1] *= call % 2 == 0 ? 1 : 1 + 0x1p-20;
    SpoiltEngine.Fault lost = (v, call) -> java.util.Arrays.fill(v, v.length - 9, v.length, 0);
    return Stream.of(
        Arguments.of("one coordinate 0.1 % off", scaled),
        Arguments.of("one coordinate NaN", missing),
        Arguments.of("other bits the second time", wavering),
        Arguments.of("the last tokens left out", lost));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void aFaultInTheVelocityIsFound(String name, SpoiltEngine.Fault fault) {
    try (Engine engine = java(Precision.SINGLE)) {
      VerificationTable table = measure(SpoiltEngine.velocity(engine, fault), 64);
      assertEquals(List.of("velocity sphere"), failures(table), table::text);
    }
  }

  @Test
  void faultsInTheStepOperationsAreFound() {
    try (Engine engine = java(Precision.SINGLE)) {
      SpoiltEngine.Fault first = (x, call) -> x[0] += 1e-5;
      SpoiltEngine.Fault inactive = (x, call) -> x[x.length - 1] = 0.5;
      VerificationTable a = measure(SpoiltEngine.state(engine, "combine", first), 3);
      assertTrue(failures(a).contains("combine"), a::text);
      VerificationTable b = measure(SpoiltEngine.state(engine, "retract", first), 3);
      assertEquals(List.of("retract"), failures(b), b::text);
      VerificationTable c = measure(SpoiltEngine.state(engine, "combine", inactive), 3);
      assertTrue(c.text().contains("inactive replica was written"), c::text);
    }
  }

  @Test
  void aCertificateIsMeasuredOnceAndFoundAgain() throws Exception {
    AtomicInteger measured = new AtomicInteger();
    CertificateStore store = new CertificateStore(temp);
    try (Engine engine = java(Precision.SINGLE);
        Engine definition = new ReferenceEngine()) {
      Certifier certifier =
          new Certifier(store, definition, new ReferenceJudge(), VerifierTest::fail);
      Need three = need(3, Precision.SINGLE);
      Certificate first = certifier.ensure(engine, three, measured::incrementAndGet);
      Certificate again = certifier.ensure(engine, three, measured::incrementAndGet);
      assertEquals(1, measured.get());
      assertEquals(first, again);
      assertTrue(first.partial());
      assertTrue(first.passed());
      Certificate more =
          certifier.ensure(engine, need(5, Precision.SINGLE), measured::incrementAndGet);
      assertEquals(2, measured.get());
      assertTrue(more.covers(three.labels()));
      assertEquals(more, CertificateStore.read(store.file(more.id())).orElseThrow());
      assertEquals(first, CertificateStore.read(store.file(first.id())).orElseThrow());
    }
  }

  @Test
  void aDamagedCertificateIsMeasuredAgain() throws Exception {
    AtomicInteger measured = new AtomicInteger();
    CertificateStore store = new CertificateStore(temp);
    try (Engine engine = java(Precision.SINGLE);
        Engine definition = new ReferenceEngine()) {
      Certifier certifier =
          new Certifier(store, definition, new ReferenceJudge(), VerifierTest::fail);
      Need need = need(3, Precision.SINGLE);
      Certificate first = certifier.ensure(engine, need, measured::incrementAndGet);
      Path file = store.file(first.id());
      Files.writeString(file, Files.readString(file).replace("true", "true "));
      Files.writeString(file, Files.readString(file).replaceFirst("\"cases\":", "\"cases\":1"));
      assertFalse(CertificateStore.read(file).isPresent());
      certifier.ensure(engine, need, measured::incrementAndGet);
      assertEquals(2, measured.get());
    }
  }

  @Test
  void theCheckDuringARunPassesSoundRowsAndNamesTheBadToken() {
    int n = 40;
    int d = 3;
    Layer layer =
        new Layer(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            4,
            List.of(
                new Layer.LayerHead(
                    Weight.identity(d),
                    Weight.identity(d),
                    Weight.identity(d),
                    Weight.identity(d))),
            null);
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      x[i * d] = Math.cos(i);
      x[i * d + 1] = Math.sin(i) * Math.cos(2 * i);
      x[i * d + 2] = Math.sin(i) * Math.sin(2 * i);
    }
    try (Engine engine = java(Precision.SINGLE)) {
      Engine spoilt = SpoiltEngine.velocity(engine, (v, call) -> v[17 * d] += 0.01);
      for (Engine e : List.of(engine, spoilt)) {
        try (State state = engine.allocateState(new Shape(1, n, d));
            Field scratch = engine.allocateField(new Shape(1, n, d))) {
          engine.upload(state, x);
          RowJudge check = new RowJudge(new ReferenceJudge(), 5, 8);
          RowCheck.Finding found = null;
          for (int k = 0; k < 40 && found == null; k++) {
            found =
                check.check(
                    e,
                    state,
                    (layers, which, out) -> e.velocity(state, layers, which, out),
                    new Layer[] {layer},
                    new boolean[] {true},
                    scratch,
                    k);
          }
          if (e == engine) {
            assertNull(found);
            assertEquals(40, check.checks());
            assertTrue(check.worstShare() < 1, check.summary());
          } else {
            assertNotNull(found, "every token has its turn within 40 checks of 8 in 40");
            assertEquals(17, found.token());
          }
        }
      }
    }
  }
}
