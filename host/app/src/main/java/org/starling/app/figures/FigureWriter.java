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
import java.util.Base64;
import java.util.Locale;
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
  private static final double HEAD = 28;
  private static final double POINTS = 72;
  private static final String SVG = "http://www.w3.org/2000/svg";

  /** Families whose widths are those the layout was made with, then what every viewer has. */
  private static final String FAMILIES = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

  private final double width;
  private final int dpi;
  private final String caption;

  /**
   * @param caption second line of every figure: what was run, on what
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
    context.setPrecision(2);
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
    String text = out.toString().replace("\r\n", "\n").replace("font-family:sans-serif", "font-family:" + FAMILIES);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String number(double v) {
    return String.format(Locale.ROOT, "%.1f", v);
  }

  private static double height(Figure.Drawing drawing) {
    return HEAD + drawing.height();
  }

  private void paint(Graphics2D g, Figure.Drawing drawing) {
    g.setColor(Color.WHITE);
    g.fill(new Rectangle2D.Double(0, 0, width, height(drawing)));
    Panel.text(g, drawing.title(), Panel.TITLE, true, Palette.INK, 6, 12, 0);
    Panel.text(g, caption, Panel.SMALL, false, Palette.FAINT, 6, 22, 0);
    g.translate(0, HEAD);
    drawing.content().paint(g, width);
    g.translate(0, -HEAD);
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

  /** Puts images into the SVG itself, each pixel a crisp rectangle whatever the viewer does. */
  private static final class EmbeddedImage extends DefaultImageHandler {
    @Override
    protected void handleHREF(Image image, Element element, SVGGeneratorContext context) {
      embed((RenderedImage) image, element);
    }

    @Override
    protected void handleHREF(RenderedImage image, Element element, SVGGeneratorContext context) {
      embed(image, element);
    }

    private static void embed(RenderedImage image, Element element) {
      element.setAttributeNS(
          "http://www.w3.org/1999/xlink",
          "xlink:href",
          "data:image/png;base64," + Base64.getEncoder().encodeToString(encode(image, 0)));
      element.setAttributeNS(null, "style", "image-rendering:pixelated");
      element.setAttributeNS(null, "preserveAspectRatio", "none");
    }
  }
}
