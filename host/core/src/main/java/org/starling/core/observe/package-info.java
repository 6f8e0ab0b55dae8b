/**
 * What a run reports: named quantities made from an engine's measurements, as columns of scalars
 * and of integer arrays.
 */
package org.starling.core.observe;
