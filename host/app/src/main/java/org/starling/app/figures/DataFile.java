package org.starling.app.figures;

/**
 * Data behind a figure.
 *
 * @param suffix added to the figure's base name: {@code .csv}, {@code -axes.csv}
 * @param content bytes of the file
 */
record DataFile(String suffix, byte[] content) {}
