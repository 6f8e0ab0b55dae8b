/**
 * Figures of a run, drawn from its files alone: PNG, SVG and the data behind each as CSV. Lengths
 * are in points (1/72 inch) until a picture becomes pixels.
 */
package org.starling.app.figures;
