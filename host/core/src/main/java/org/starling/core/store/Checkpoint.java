package org.starling.core.store;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything a run needs to go on with the same bits.
 *
 * @param facts scalars and short lists, as JSON values
 * @param sections large parts by name, as bytes
 */
public record Checkpoint(Map<String, Object> facts, Map<String, byte[]> sections) {
  public Checkpoint {
    facts = new LinkedHashMap<>(facts);
    sections = new LinkedHashMap<>(sections);
  }

  /**
   * A section.
   *
   * @throws StoreException of kind DAMAGED if it is missing
   */
  public byte[] section(String name) {
    byte[] bytes = sections.get(name);
    if (bytes == null) {
      throw new StoreException(
          StoreException.Kind.DAMAGED, "the checkpoint has no section '" + name + "'");
    }
    return bytes;
  }
}
