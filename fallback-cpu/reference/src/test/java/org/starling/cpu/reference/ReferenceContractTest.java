package org.starling.cpu.reference;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;

class ReferenceContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return new Subject(Precision.DOUBLE, ReferenceEngine::new, new ReferenceJudge(), true);
  }
}
