/**
 * The attention pass and the pair statistics: which kernel computes which layer, the work buffers
 * it needs, and the launches. Works on device states; the engine in the package above owns them.
 */
package org.starling.opencl.attention;
