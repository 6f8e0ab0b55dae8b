package org.starling.cpu.fast;

import org.junit.jupiter.api.Tag;
import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;

@Tag("further-precision")
class VectorDoubleContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return new Subject(
        Precision.DOUBLE,
        () -> new FastEngine(Precision.DOUBLE, new VectorStrips()),
        new ReferenceJudge(),
        true);
  }
}
