package org.starling.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.starling.app.device.DeviceCatalogue;
import org.starling.core.engine.DeviceInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Lists what runs could be computed on. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    description = "List the devices of every engine, unusable ones with the reason.")
final class DevicesCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--json", description = "One JSON array, for programs.")
  private boolean json;

  DevicesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<DeviceInfo> devices =
        DeviceCatalogue.discover().entries().stream().map(DeviceCatalogue.Entry::device).toList();
    if (json) {
      List<Map<String, Object>> rows = devices.stream().map(DevicesCommand::asMap).toList();
      terminal.out().println(JsonMapper.builder().build().writeValueAsString(rows));
      return ExitCode.DONE;
    }
    for (DeviceInfo d : devices) {
      terminal.out().printf("%-12s %s%n", d.id(), d.name());
      if (d.usable()) {
        terminal
            .out()
            .printf(
                "             %s, %d MiB, largest buffer %d MiB, %s%n",
                d.type(),
                d.memoryBytes() >> 20,
                d.maxAllocationBytes() >> 20,
                d.fp64() ? "float64" : "no float64");
      } else {
        terminal.out().println("             cannot be used: " + d.unavailable());
      }
      d.properties().forEach((k, v) -> terminal.out().println("             " + k + ": " + v));
    }
    return ExitCode.DONE;
  }

  private static Map<String, Object> asMap(DeviceInfo d) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("id", d.id());
    row.put("engine", d.engine());
    row.put("name", d.name());
    row.put("type", d.type());
    row.put("usable", d.usable());
    row.put("unavailable", d.unavailable());
    row.put("fp64", d.fp64());
    row.put("memory_bytes", d.memoryBytes());
    row.put("max_allocation_bytes", d.maxAllocationBytes());
    row.put("properties", d.properties());
    return row;
  }
}
