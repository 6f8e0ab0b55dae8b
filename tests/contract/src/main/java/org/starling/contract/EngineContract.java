package org.starling.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Everything an engine promises, as tests. An engine's module subclasses it once per precision:
 *
 * <pre>
 * class FancySingleContractTest extends EngineContract {
 *   &#64;Override
 *   protected Subject subject() {
 *     return new Subject(
 *         Precision.SINGLE,
 *         () -&gt; new FancyProvider().open(device, EngineOptions.of(Precision.SINGLE)),
 *         new ReferenceJudge(),
 *         false);
 *   }
 * }
 * </pre>
 *
 * The themes are nested classes, each on one engine that stays open for its tests, and tagged:
 * {@code -Dtest=FancySingleContractTest -Dgroups=velocity} runs one alone. No test is ever skipped;
 * where there is no device, let {@code subject()} abort by an assumption.
 */
public abstract class EngineContract {
  /** The engine under test; called once a theme. */
  protected abstract Subject subject();

  @Nested
  @Tag("velocity")
  class Velocity extends VelocityContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("solver-cases")
  class SolverCases extends SolverCaseContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("attend")
  class Attend extends AttendContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("state")
  class StateOperations extends StateContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("schemes")
  class Schemes extends SchemeContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("noise")
  class Noise extends NoiseContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("observations")
  class Observables extends ObservationsContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("clusters")
  class ClusterLabels extends ClustersContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("masks")
  class Masks extends MaskContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("merged")
  class Merged extends MergedContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("roles")
  class Roles extends RolesContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("hardmax")
  class Hardmax extends HardmaxContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("equivariance")
  class Equivariance extends EquivarianceContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("oracles")
  class Oracles extends OracleContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("guards")
  class Guards extends GuardContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("replicas")
  class Replicas extends ReplicasContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("determinism")
  class Determinism extends DeterminismContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("requests")
  class Requests extends RequestsContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("interactions")
  class Interactions extends InteractionContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }

  @Nested
  @Tag("trajectories")
  class Trajectories extends TrajectoryContract {
    @Override
    protected Subject subject() {
      return EngineContract.this.subject();
    }
  }
}
