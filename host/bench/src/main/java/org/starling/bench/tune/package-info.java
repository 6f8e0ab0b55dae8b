/** Finds good tile sizes for a device and keeps them in a file that can be sent back. */
package org.starling.bench.tune;
