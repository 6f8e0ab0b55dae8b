package org.starling.cpu.fast;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;

class FastSingleContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return new Subject(
        Precision.SINGLE,
        () -> new FastEngine(Precision.SINGLE, new PlainStrips()),
        new ReferenceJudge(),
        true);
  }
}
