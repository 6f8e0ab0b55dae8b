package org.starling.app.figures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.RenderedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.DefaultImageHandler;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Turns a drawing into the bytes of a PNG or an SVG; the same drawing gives the same bytes. */
final class FigureWriter {
  private static final double TITLE_LINE = 11;
  private static final double CAPTION_LINE = 9;
  private static final double POINTS = 72;

  /** Pixels along an edge of an embedded map, about. */
  private static final int CRISP = 1000;

  private static final String SVG = "http://www.w3.org/2000/svg";

  /** Families whose widths are those the layout was made with, then what every viewer has. */
  private static final String FAMILIES = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

  private final double width;
  private final int dpi;
  private final String caption;

  /**
   * @param caption what stands below every title: what was run, on what
   */
  FigureWriter(FigureOptions options, String caption) {
    this.width = options.widthInches() * POINTS;
    this.dpi = options.dpi();
    this.caption = caption;
  }

  /** A picture of {@code dpi} pixels an inch, which it notes. */
  byte[] png(Figure.Drawing drawing) {
    double scale = dpi / POINTS;
    BufferedImage image =
        new BufferedImage(
            (int) Math.round(width * scale),
            (int) Math.round(height(drawing) * scale),
            BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, image.getWidth(), image.getHeight());
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    g.scale(scale, scale);
    paint(g, drawing);
    g.dispose();
    return encode(image, dpi);
  }

  /** A vector picture, as wide in inches as the PNG. Text stays text. */
  byte[] svg(Figure.Drawing drawing) {
    Document document =
        GenericDOMImplementation.getDOMImplementation().createDocument(SVG, "svg", null);
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setComment(null);
    context.setPrecision(4);
    context.setImageHandler(new EmbeddedImage());
    SVGGraphics2D g = new SVGGraphics2D(context, false);
    paint(g, drawing);
    Element root = g.getRoot();
    root.setAttributeNS(null, "width", number(width) + "pt");
    root.setAttributeNS(null, "height", number(height(drawing)) + "pt");
    root.setAttributeNS(null, "viewBox", "0 0 " + number(width) + " " + number(height(drawing)));
    StringWriter out = new StringWriter();
    try {
      g.stream(root, out, true, false);
    } catch (SVGGraphics2DIOException e) {
      throw new UncheckedIOException(new IOException(e));
    }
    // Without the document type, which some readers would fetch from the network.
    return out.toString()
        .replace("\r\n", "\n")
        .replaceFirst("<!DOCTYPE[^>]*>\\s*", "")
        .replace("font-family:sans-serif", "font-family:" + FAMILIES)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String number(double v) {
    return String.format(Locale.ROOT, "%.1f", v);
  }

  private double height(Figure.Drawing drawing) {
    return head(drawing) + drawing.height();
  }

  private double head(Figure.Drawing drawing) {
    return 8
        + TITLE_LINE * lines(drawing.title(), " ", Panel.TITLE, true).size()
        + CAPTION_LINE * lines(caption, " \u00b7 ", Panel.SMALL, false).size();
  }

  /** Breaks a text at separators so that each line fits the width. */
  private List<String> lines(String text, String separator, float size, boolean bold) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String part : text.split(Pattern.quote(separator))) {
      String longer = line.isEmpty() ? part : line + separator + part;
      if (!line.isEmpty() && Panel.width(longer, size, bold) > width - 12) {
        lines.add(line);
        longer = part;
      }
      line = longer;
    }
    lines.add(line);
    return lines;
  }

  private void paint(Graphics2D g, Figure.Drawing drawing) {
    g.setColor(Color.WHITE);
    g.fill(new Rectangle2D.Double(0, 0, width, height(drawing)));
    double y = 1;
    for (String line : lines(drawing.title(), " ", Panel.TITLE, true)) {
      y += TITLE_LINE;
      Panel.text(g, line, Panel.TITLE, true, Palette.INK, 6, y, 0);
    }
    y += 1;
    for (String line : lines(caption, " \u00b7 ", Panel.SMALL, false)) {
      y += CAPTION_LINE;
      Panel.text(g, line, Panel.SMALL, false, Palette.FAINT, 6, y, 0);
    }
    double head = head(drawing);
    g.translate(0, head);
    drawing.content().paint(g, width);
    g.translate(0, -head);
  }

  private static byte[] encode(RenderedImage image, int dpi) {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      writer.setOutput(out);
      IIOMetadata facts =
          writer.getDefaultImageMetadata(
              ImageTypeSpecifier.createFromRenderedImage(image), writer.getDefaultWriteParam());
      if (dpi > 0) {
        facts.mergeTree("javax_imageio_png_1.0", resolution(dpi));
      }
      writer.write(new IIOImage(image, null, facts));
    } catch (IIOInvalidTreeException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static IIOMetadataNode resolution(int dpi) {
    String perMetre = Long.toString(Math.round(dpi / 0.0254));
    IIOMetadataNode physical = new IIOMetadataNode("pHYs");
    physical.setAttribute("pixelsPerUnitXAxis", perMetre);
    physical.setAttribute("pixelsPerUnitYAxis", perMetre);
    physical.setAttribute("unitSpecifier", "meter");
    IIOMetadataNode root = new IIOMetadataNode("javax_imageio_png_1.0");
    root.appendChild(physical);
    return root;
  }

  /**
   * Puts images into the SVG itself. Viewers smooth the pixels of a small map into each other,
   * whatever they are asked for, so opaque images are enlarged first; it costs few bytes.
   */
  private static final class EmbeddedImage extends DefaultImageHandler {
    @Override
    protected void handleHREF(Image image, Element element, SVGGeneratorContext context) {
      embed((RenderedImage) image, element);
    }

    @Override
    protected void handleHREF(RenderedImage image, Element element, SVGGeneratorContext context) {
      embed(image, element);
    }

    private static RenderedImage crisp(RenderedImage image) {
      if (image.getColorModel().hasAlpha() || !(image instanceof BufferedImage small)) {
        return image;
      }
      int fx = small.getWidth() == 1 ? 1 : (CRISP - 1) / small.getWidth() + 1;
      int fy = small.getHeight() == 1 ? 1 : (CRISP - 1) / small.getHeight() + 1;
      BufferedImage large =
          new BufferedImage(
              fx * small.getWidth(), fy * small.getHeight(), BufferedImage.TYPE_INT_RGB);
      for (int y = 0; y < large.getHeight(); y++) {
        for (int x = 0; x < large.getWidth(); x++) {
          large.setRGB(x, y, small.getRGB(x / fx, y / fy));
        }
      }
      return large;
    }

    private static void embed(RenderedImage image, Element element) {
      element.setAttributeNS(
          "http://www.w3.org/1999/xlink",
          "xlink:href",
          "data:image/png;base64," + Base64.getEncoder().encodeToString(encode(crisp(image), 0)));
      element.setAttributeNS(null, "preserveAspectRatio", "none");
    }
  }
}
