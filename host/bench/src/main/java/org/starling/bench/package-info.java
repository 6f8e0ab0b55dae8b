/**
 * What a device could do, what the engines make of it, and what others make of the same machine:
 * limits, rows with goals, peers. Works on the engine contract alone.
 */
package org.starling.bench;
