package org.starling.cpu.fast;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;

class FastDoubleContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return new Subject(
        Precision.DOUBLE,
        () -> new FastEngine(Precision.DOUBLE, new PlainStrips()),
        new ReferenceJudge(),
        true);
  }
}
