package org.starling.opencl;

import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;

class OpenClMixedContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return TestDevices.subject(Precision.MIXED);
  }
}
