package org.starling.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.starling.app.device.DeviceCatalogue;
import org.starling.app.doctor.Doctor;
import org.starling.app.doctor.Finding;
import org.starling.app.doctor.LocalMachine;
import org.starling.app.doctor.SelfTest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Examines the machine. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Examine the machine and print a report to paste into a bug report.",
      "It looks at the OpenCL installation and at every device, and compares each device briefly"
          + " with the reference.",
      "Exit code 3 if nothing can be computed or a device computes wrongly."
    })
final class DoctorCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--no-self-test", description = "Leave out the comparison with the reference.")
  private boolean noSelfTest;

  @Option(names = "--json", description = "One JSON array of findings, for programs.")
  private boolean json;

  DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    DeviceCatalogue catalogue = DeviceCatalogue.discover();
    Doctor doctor =
        new Doctor(new LocalMachine(terminal.environment(), terminal.home()), catalogue);
    List<Finding> all = new ArrayList<>();
    String version = new Version().getVersion()[0];
    all.add(new Finding(Finding.Level.INFO, "version", version, ""));
    all.addAll(doctor.machine());
    all.addAll(doctor.devices());
    if (!noSelfTest) {
      all.addAll(new SelfTest(catalogue).run());
    }
    if (json) {
      terminal.out().println(JsonMapper.builder().build().writeValueAsString(all));
    } else {
      all.forEach(this::print);
    }
    return all.stream().anyMatch(f -> f.level() == Finding.Level.ERROR)
        ? ExitCode.ENVIRONMENT
        : ExitCode.DONE;
  }

  private void print(Finding f) {
    String mark = f.level() == Finding.Level.INFO ? "" : f.level().name().toLowerCase(Locale.ROOT);
    terminal.out().printf("%-8s%s: %s%n", mark, f.subject(), f.text());
    if (!f.next().isEmpty()) {
      terminal.out().println("        -> " + f.next());
    }
  }
}
