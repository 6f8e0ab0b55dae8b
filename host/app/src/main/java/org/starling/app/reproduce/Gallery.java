package org.starling.app.reproduce;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.starling.core.store.FileStore;

/** A page of figures, each with its command, verdict and run time. */
public final class Gallery {
  private Gallery() {}

  /**
   * An entry on the page.
   *
   * @param directory of the entry
   * @param command that makes its figures
   */
  public record Card(ClaimVerdict verdict, Path directory, String command) {}

  /** Writes {@code index.html} into a folder that the entries' directories lie in. */
  public static Path write(Path folder, List<Card> cards) {
    StringBuilder s = new StringBuilder();
    s.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    s.append("<title>Starling: figures and verdicts</title>\n<style>\n");
    s.append("body{font-family:sans-serif;max-width:1000px;margin:2em auto;color:#1a1a1a}\n");
    s.append("img{max-width:100%}code{background:#f2f2f2;padding:2px 4px}\n");
    s.append("section{border-top:1px solid #d0d0d0;padding:1em 0}\n</style></head><body>\n");
    s.append("<h1>Figures and verdicts</h1>\n");
    for (Card card : cards) {
      ClaimVerdict v = card.verdict();
      s.append("<section id=\"").append(v.entry()).append("\"><h2>");
      s.append(escaped(v.claim().title())).append("</h2>\n<p>");
      s.append(escaped(v.claim().source())).append("</p>\n<p>");
      s.append(escaped(v.claim().statement())).append("</p>\n<p><code>");
      s.append(escaped(card.command())).append("</code></p>\n<p>Verdict: <b>");
      s.append(v.verdict().word()).append("</b>; control: ").append(v.control().verdict().word());
      s.append(String.format(Locale.ROOT, "; %.1f s. ", v.seconds()));
      String place = folder.relativize(card.directory()).toString().replace('\\', '/');
      s.append("<a href=\"").append(place).append("/report.md\">report</a>, <a href=\"");
      s.append(place).append("/verdict.json\">numbers</a></p>\n");
      for (String file : FileStore.disk().list(card.directory().resolve("figures"))) {
        if (file.endsWith(".svg")) {
          s.append("<p><img alt=\"").append(escaped(v.claim().title())).append("\" src=\"");
          s.append(place).append("/figures/").append(file).append("\"></p>\n");
        }
      }
      s.append("</section>\n");
    }
    s.append("</body></html>\n");
    Path page = folder.resolve("index.html");
    FileStore.disk().replace(page, s.toString().getBytes(StandardCharsets.UTF_8));
    return page;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
