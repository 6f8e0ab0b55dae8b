/**
 * What the papers say about a state of tokens, measured: pure functions over float64 positions, and
 * the closed forms and hypotheses that a measurement is compared with. Knows no engine.
 */
package org.starling.analysis;
