/**
 * The definition of every number the other engines compute: plain float64 loops, to be read beside
 * the formulas. {@code HeadAttention} holds scores and weights, {@code AttentionField} the
 * geometry, {@code ReferenceObservations} the observables; {@code ReferenceJudge} offers them to
 * the verifier.
 */
package org.starling.cpu.reference;
