package org.starling.app;

import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.app.device.Selection;

/** What made a result and where, for its manifest. */
final class Provenance {
  private Provenance() {}

  static Map<String, Object> of(Terminal terminal, Selection selection) {
    Map<String, Object> facts = new LinkedHashMap<>();
    Version version = new Version();
    facts.put("starling", version.version());
    facts.put("commit", version.commit());
    facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("arch", System.getProperty("os.arch"));
    facts.put("jdk", Runtime.version() + " " + System.getProperty("java.vendor"));
    facts.put("command_line", terminal.commandLine());
    facts.put("working_directory", terminal.directory().toString());
    Map<String, Object> device = new LinkedHashMap<>();
    device.put("id", selection.device().id());
    device.put("name", selection.device().name());
    device.put("chosen", selection.reason());
    Map<String, Object> passed = new LinkedHashMap<>();
    selection.others().forEach(p -> passed.put(p.device().id(), p.why()));
    device.put("not_chosen", passed);
    facts.put("device", device);
    return facts;
  }
}
