package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code starling reproduce} from its list to a verdict. */
class ReproduceCommandTest {
  private static final Path CATALOGUE =
      Path.of(System.getProperty("starling.root"), "host", "app", "examples", "reproduce");

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
  }

  @Test
  void everyRunOfTheCatalogueResolves() throws IOException {
    long listed = cli.run("reproduce", "--list", "--json").expect(0).out().lines().count();
    long files = 0;
    try (Stream<Path> all = Files.walk(CATALOGUE)) {
      for (Path file : all.filter(f -> f.toString().endsWith(".yaml")).toList()) {
        files++;
        ExperimentFile main = ExperimentFile.read(file, java.util.List.of());
        for (boolean quick : new boolean[] {false, true}) {
          for (String run :
              Stream.concat(
                      Stream.of("run", "control"),
                      main.claim().beside().stream().map(b -> b.name()))
                  .toList()) {
            ExperimentFile one =
                ExperimentFile.read(file, java.util.List.of(), new ClaimRun(run, quick));
            assertTrue(
                one.resolve().experiment().save().trajectory(), file + " keeps no positions");
          }
        }
      }
    }
    assertEquals(files, listed, "files and the entries of index.txt");
  }

  @Test
  void aClaimIsJudgedOnceAndItsControlFails() throws IOException {
    String[] command = {
      "reproduce", "polytope", "--quick", "--set", "sweep.seed.range=[0, 2]", "--out", "p", "--json"
    };
    JsonNode first = JsonMapper.builder().build().readTree(cli.run(command).expect(0).out());
    assertEquals("holds", first.path("verdict").asString());
    assertEquals("fails", first.path("control").asString());
    assertEquals(2, first.path("runs").path(0).path("seeds").asInt());
    assertTrue(first.path("runs").path(0).path("largest_speed_at_end").asDouble() > 0);
    for (String file : new String[] {"figures/1-hull.png", "figures/1-hull.svg", "report.md"}) {
      assertTrue(Files.size(cli.path("p/" + file)) > 0, file);
    }
    Path end = cli.path("p/run/final.npy");
    Object made = Files.getLastModifiedTime(end);
    cli.run(command).expect(0);
    assertEquals(made, Files.getLastModifiedTime(end), "computed again");
  }

  /** The page is made of what the commands on it compute: three quick entries, on any machine. */
  @Test
  void threeEntriesMakeAGallery() throws IOException {
    String[] entries = {"multiscale-merging", "leaders", "generic-qk"};
    String[] command = {"reproduce", "--gallery", "g", "--quick", "--quiet"};
    Cli.Result result =
        cli.run(Stream.concat(Stream.of(command), Stream.of(entries)).toArray(String[]::new))
            .expect(0);
    assertTrue(result.out().contains("3 of 3 as expected"), result.out());
    String page = Files.readString(cli.path("g/index.html"));
    String[] sections = page.split("<section id=");
    assertEquals(entries.length + 1, sections.length);
    for (int k = 0; k < entries.length; k++) {
      String section = sections[k + 1];
      assertTrue(section.startsWith('"' + entries[k] + '"'), section);
      String shown = "<code>./starling reproduce " + entries[k] + " --quick</code>";
      assertTrue(section.contains(shown), section);
      assertTrue(section.contains("Verdict: <b>holds</b>; control: fails; "), section);
      assertTrue(Pattern.compile("; [0-9]+\\.[0-9] s\\. ").matcher(section).find(), section);
      for (String link : new String[] {"href=\"", "src=\""}) {
        String[] parts = section.split(link);
        assertTrue(parts.length > 1, section);
        for (int i = 1; i < parts.length; i++) {
          Path file = cli.path("g/" + parts[i].substring(0, parts[i].indexOf('"')));
          assertTrue(Files.size(file) > 0, file.toString());
        }
      }
    }
  }

  @Test
  void saysWhatItCannotJudge() throws IOException {
    cli.write("plain.yaml", "tokens: {n: 4, d: 2}\nstop: {t: 1}\n");
    assertTrue(cli.run("reproduce", "plain.yaml").expect(2).err().contains("has no claim: block"));
    assertTrue(cli.run("reproduce").expect(2).err().contains("--list"));
    assertTrue(cli.run("reproduce", "nothing-like-it").expect(2).err().contains("--list"));
  }
}
