package org.starling.opencl;

import static org.junit.jupiter.api.Assumptions.abort;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.starling.contract.PathOperationsContract;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;

@Tag("kernels")
class OpenClPathsTest {
  @Nested
  class InDouble extends PathOperationsContract {
    @Override
    protected PathOperations open() {
      return operations(Precision.DOUBLE);
    }
  }

  @Nested
  class InSingle extends PathOperationsContract {
    @Override
    protected PathOperations open() {
      return operations(Precision.SINGLE);
    }
  }

  private static PathOperations operations(Precision precision) {
    OpenClProvider provider = new OpenClProvider();
    DeviceInfo device = TestDevices.first(provider);
    if (precision == Precision.DOUBLE && !device.fp64()) {
      abort(device.name() + " has no float64");
    }
    return provider.openPaths(device, precision);
  }
}
