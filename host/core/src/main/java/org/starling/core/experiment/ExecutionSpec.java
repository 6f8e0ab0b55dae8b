package org.starling.core.experiment;

import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.model.Precision;

/**
 * The block {@code execution} of an experiment: where and how it is computed. It does not enter the
 * run id.
 *
 * @param device device in the grammar of the command line
 * @param walltime seconds after which the run stops with a checkpoint; null for no limit
 * @param checkpointEvery seconds of wall time between checkpoints
 * @param summation how sums over keys are to be formed
 * @param storage how keys and values are to be kept
 */
public record ExecutionSpec(
    String device,
    Precision precision,
    Double walltime,
    double checkpointEvery,
    Summation summation,
    Storage storage) {}
