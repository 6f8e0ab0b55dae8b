package org.starling.core.run;

import java.util.List;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.SummationReport;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Outcome;

/**
 * How a session ended.
 *
 * @param outcome of the run as a whole: that of the worst replica where they differ
 * @param replicas outcome per replica, null where it still runs
 * @param steps accepted steps of all replicas together
 * @param rejected rejected attempts of all replicas together
 * @param evaluations attention passes
 * @param frames reports written
 * @param report what the velocity evaluations reported since the start of the run
 * @param checks comparisons with the definition that were made and passed
 * @param merging what merging has done: groups of all replicas together, the largest shift of any;
 *     null where nothing is merged by request
 * @param seconds wall time of this session
 * @param summation how the sums over keys of this session were formed
 * @param events moments that were asked for, by replica and time; none where a finished run was
 *     only looked up
 */
public record RunResult(
    Outcome outcome,
    List<Outcome> replicas,
    long steps,
    long rejected,
    long evaluations,
    int frames,
    FieldReport report,
    long checks,
    Merging.Effect merging,
    double seconds,
    SummationReport summation,
    List<Event> events) {}
