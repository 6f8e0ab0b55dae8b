package org.starling.cpu.fast;

import org.starling.contract.PathOperationsContract;
import org.starling.core.paths.PathOperations;

class FastPathsTest extends PathOperationsContract {
  @Override
  protected PathOperations open() {
    return new FastPaths();
  }
}
