package org.starling.cpu.fast;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;

class FastMixedContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return new Subject(
        Precision.MIXED,
        () -> new FastEngine(Precision.MIXED, new VectorStrips()),
        new ReferenceJudge(),
        true);
  }
}
