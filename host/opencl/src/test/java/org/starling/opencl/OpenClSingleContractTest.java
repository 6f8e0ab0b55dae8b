package org.starling.opencl;

import org.junit.jupiter.api.Tag;
import org.starling.contract.EngineContract;
import org.starling.contract.Subject;
import org.starling.core.model.Precision;

@Tag("kernels")
class OpenClSingleContractTest extends EngineContract {
  @Override
  protected Subject subject() {
    return TestDevices.subject(Precision.SINGLE);
  }
}
