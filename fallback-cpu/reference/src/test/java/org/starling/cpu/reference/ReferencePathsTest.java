package org.starling.cpu.reference;

import org.starling.contract.PathOperationsContract;
import org.starling.core.paths.PathOperations;

class ReferencePathsTest extends PathOperationsContract {
  @Override
  protected PathOperations open() {
    return new ReferencePaths();
  }
}
