package org.starling.core.experiment;

import java.nio.file.Path;

/**
 * A file that an experiment reads.
 *
 * @param path absolute
 * @param sha256 of its bytes in lower-case hexadecimal; null as long as the experiment is not
 *     resolved. Where it is given, a file with other bytes is an error.
 */
public record InputFile(Path path, String sha256) {}
