package org.starling.app;

import picocli.CommandLine.Command;

/** The program without a command: shows what there is. */
@Command(
    name = "starling",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Attention dynamics on OpenCL devices and CPUs.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      SweepCommand.class,
      ResumeCommand.class,
      ExtendCommand.class,
      VelocityCommand.class,
      PredictCommand.class,
      PathsCommand.class,
      PlotCommand.class,
      ReproduceCommand.class,
      ConjectureCommand.class,
      VerifyCommand.class,
      TuneCommand.class,
      BenchCommand.class,
      DevicesCommand.class,
      DoctorCommand.class,
      SchemaCommand.class,
    },
    footer = {
      "",
      "Exit codes: 0 done; 2 wrong usage or a bad experiment; 3 something is missing on the"
          + " machine, or a device's numbers are further from the reference than allowed; 4 the"
          + " numbers stopped the run, a measured speed is below three quarters of its goal, or a"
          + " claim does not hold, a conjecture has counter-examples; 75 stopped early, `resume` continues."
    })
final class Starling {}
