package org.starling.cpu.fast;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;

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
