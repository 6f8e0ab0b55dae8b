package org.starling.app;

import picocli.CommandLine.Command;

/** The statistical mechanics of attention paths. */
@Command(
    name = "paths",
    mixinStandardHelpOptions = true,
    description = {
      "The statistical mechanics of attention paths: from a task to order parameters, predictions"
          + " and head scores.",
      "A command that finds its run in the directory goes on from there."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      PathsFitCommand.class,
      PathsSweepCommand.class,
      PathsPredictCommand.class,
      PathsPruneCommand.class,
    })
final class PathsCommand {}
