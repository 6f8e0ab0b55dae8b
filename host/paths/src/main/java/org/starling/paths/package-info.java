/** The statistical mechanics of attention paths (Tiberi et al. 2024): data, theory, runs. */
package org.starling.paths;
