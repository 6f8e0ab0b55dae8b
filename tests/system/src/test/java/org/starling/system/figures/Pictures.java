package org.starling.system.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** Looks at drawn files. */
final class Pictures {
  private Pictures() {}

  /** A picture of this width that is neither blank nor full, in several colours. */
  static void assertDrawn(Path png, int width) throws IOException {
    BufferedImage image = ImageIO.read(png.toFile());
    assertNotNull(image, png + " is not a picture");
    assertEquals(width, image.getWidth(), png.toString());
    int inked = 0;
    int inkedLow = 0;
    Set<Integer> colours = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < width; x++) {
        int rgb = image.getRGB(x, y) & 0xffffff;
        colours.add(rgb);
        inked += rgb == 0xffffff ? 0 : 1;
        inkedLow += rgb != 0xffffff && y > image.getHeight() / 4 ? 1 : 0;
      }
    }
    double part = inked / (double) (width * image.getHeight());
    assertTrue(part > 0.01 && part < 0.95, png + ": " + part + " of the pixels are not white");
    assertTrue(inkedLow > 200, png + ": nothing below the title");
    assertTrue(colours.size() > 20, png + ": only " + colours.size() + " colours");
  }

  /** All text of a vector picture, which is read as XML. */
  static String textOf(Path svg) throws IOException {
    try {
      Element root =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(svg.toFile())
              .getDocumentElement();
      assertEquals("svg", root.getTagName());
      return root.getTextContent();
    } catch (ParserConfigurationException | SAXException e) {
      throw new AssertionError(svg + " is not well-formed XML", e);
    }
  }
}
