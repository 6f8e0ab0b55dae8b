package org.starling.core.observe;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/**
 * What observers look at: positions of R replicas at one time.
 *
 * @param engine owner of the state
 * @param x positions
 * @param layers layer in force, one per replica
 * @param scratch a field that may be overwritten, valid until the observer returns; null if no
 *     observer asked for one
 */
public record Snapshot(Engine engine, State x, Layer[] layers, Field scratch) {}
