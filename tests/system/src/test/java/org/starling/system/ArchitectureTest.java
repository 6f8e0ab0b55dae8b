package org.starling.system;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom: the engines stay exchangeable because none of them sees another. */
@AnalyzeClasses(packages = "org.starling", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String OURS = "org.starling..";
  private static final String CORE = "org.starling.core..";
  private static final String KERNELS = "org.starling.kernels..";
  private static final String OPENCL = "org.starling.opencl..";
  private static final String CPU = "org.starling.cpu..";
  private static final String REFERENCE = "org.starling.cpu.reference..";
  private static final String FAST = "org.starling.cpu.fast..";
  private static final String BENCH = "org.starling.bench..";
  private static final String ANALYSIS = "org.starling.analysis..";
  private static final String PATHS = "org.starling.paths..";
  private static final String APP = "org.starling.app..";
  private static final String CONTRACT = "org.starling.contract..";

  @ArchTest static final ArchRule coreStandsAlone = ofOursSeesOnly(CORE, CORE);

  @ArchTest static final ArchRule kernelsStandAlone = ofOursSeesOnly(KERNELS, KERNELS);

  @ArchTest static final ArchRule referenceSeesCore = ofOursSeesOnly(REFERENCE, REFERENCE, CORE);

  @ArchTest static final ArchRule fastSeesCore = ofOursSeesOnly(FAST, FAST, CORE);

  @ArchTest
  static final ArchRule openClSeesCoreAndKernels = ofOursSeesOnly(OPENCL, OPENCL, CORE, KERNELS);

  @ArchTest static final ArchRule benchSeesCore = ofOursSeesOnly(BENCH, BENCH, CORE);

  @ArchTest static final ArchRule analysisSeesCore = ofOursSeesOnly(ANALYSIS, ANALYSIS, CORE);

  @ArchTest static final ArchRule pathsSeeCore = ofOursSeesOnly(PATHS, PATHS, CORE);

  @ArchTest static final ArchRule contractSeesCore = ofOursSeesOnly(CONTRACT, CONTRACT, CORE);

  @ArchTest
  static final ArchRule nothingSeesTheApplication =
      noClasses()
          .that()
          .resideOutsideOfPackage(APP)
          .should()
          .dependOnClassesThat(resideInAPackage(APP));

  @ArchTest
  static final ArchRule onlyTheOpenClEngineSeesJocl =
      noClasses()
          .that()
          .resideOutsideOfPackage(OPENCL)
          .should()
          .dependOnClassesThat(resideInAPackage("org.jocl.."));

  @ArchTest
  static final ArchRule everyPackageHasItsPlace =
      classes()
          .should()
          .resideInAnyPackage(CORE, KERNELS, OPENCL, CPU, BENCH, ANALYSIS, PATHS, APP, CONTRACT);

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Helper");

  /** Classes in {@code from} depend on none of our packages but the allowed ones. */
  private static ArchRule ofOursSeesOnly(String from, String... allowed) {
    return noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat(resideInAPackage(OURS).and(not(resideInAnyPackage(allowed))));
  }
}
