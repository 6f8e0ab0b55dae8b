/**
 * The OpenCL engine: devices, memory plan, dispatch of the kernels, identity. Knows no mathematics
 * beyond dispatch; all calls go through {@link org.starling.opencl.cl}.
 *
 * <p>On the device a state is one buffer of positions {@code [R][n][d]} row-major in the working
 * precision and, in mixed precision, one buffer of float corrections of the same layout (position =
 * value + correction, value = the sum rounded to float); a field is one buffer {@code [R][n][d]}.
 */
package org.starling.opencl;
