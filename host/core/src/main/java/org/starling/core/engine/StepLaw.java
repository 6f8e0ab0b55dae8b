package org.starling.core.engine;

/**
 * How an adaptive method chooses its steps. With err the error of an attempt in units of the
 * tolerance, as {@link Engine#errorNorm} measures it: an attempt with err &lt;= 1 is accepted and
 * followed by a step of h safety err^-alpha old^beta within [h leastAccepted, h growth], and not by
 * a larger one right after a rejection, where old is the err of the step accepted before, but at
 * least {@code floor}; another one is repeated with h safety err^-alpha, at least h leastRejected,
 * or with h notFinite where err is not a finite number.
 *
 * <p>Next to the largest number, steps that are finite may round to no motion at all: after {@code
 * stuck} accepted steps in a row that follow an attempt whose err is not finite, each moving every
 * token by less than {@code resolved} of its norm, there are no further attempts.
 *
 * @param smallest step that may be tried; nor may one below 16 units in the last place of the time
 */
public record StepLaw(
    double safety,
    double alpha,
    double beta,
    double growth,
    double leastAccepted,
    double leastRejected,
    double notFinite,
    double floor,
    double atol,
    double rtol,
    double smallest,
    double resolved,
    int stuck) {}
