package org.starling.kernels;

import java.util.List;
import java.util.stream.Stream;

/** All kernels that ship; their texts together are part of an engine's identity. */
public final class KernelCatalogue {
  private KernelCatalogue() {}

  /** Every kernel, in a fixed order. */
  public static List<KernelSource> all() {
    return Stream.of(
            StateKernels.ALL,
            AttentionKernels.ALL,
            HalfKernels.ALL,
            MergedKernels.ALL,
            PairKernels.ALL,
            ReplicaKernels.ALL,
            BlockStepKernels.ALL,
            CircleKernels.ALL,
            SphereKernels.ALL,
            List.of(SeriesKernels.PAIRS),
            PathKernels.ALL,
            ProbeKernels.ALL)
        .flatMap(List::stream)
        .toList();
  }
}
