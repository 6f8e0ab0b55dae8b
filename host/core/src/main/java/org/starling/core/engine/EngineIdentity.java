package org.starling.core.engine;

import java.util.Map;

/**
 * What computed a number; written into every result and the key of a certificate.
 *
 * @param engine engine name
 * @param device device name
 * @param driver driver version, or the JVM version for Java engines
 * @param platform platform name and version
 * @param kernelHash sha256 over kernel sources and build options, or over the version for Java
 *     engines
 * @param settings build options, tile sizes and other settings that decide the bits, in order
 */
public record EngineIdentity(
    String engine,
    String device,
    String driver,
    String platform,
    String kernelHash,
    Map<String, String> settings) {}
