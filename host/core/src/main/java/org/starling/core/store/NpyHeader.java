package org.starling.core.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Header of a {@code .npy} file, versions 1.0 to 3.0 of NumPy's format.
 *
 * @param type kind of element
 * @param order byte order of the data
 * @param shape sizes, outermost first; empty for a scalar
 * @param bytes length of the header: the data begin here
 */
public record NpyHeader(ElementType type, ByteOrder order, int[] shape, int bytes) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** No header can be longer; a larger length field means a damaged file. */
  private static final int LONGEST = 1 << 16;

  private static final Pattern DESCR =
      Pattern.compile("['\"]descr['\"]\\s*:\\s*['\"]([^'\"]*)['\"]");
  private static final Pattern DESCR_ANY = Pattern.compile("['\"]descr['\"]\\s*:\\s*(\\S[^,]*)");
  private static final Pattern FORTRAN =
      Pattern.compile("['\"]fortran_order['\"]\\s*:\\s*(True|False)");
  private static final Pattern SHAPE = Pattern.compile("['\"]shape['\"]\\s*:\\s*\\(([^)]*)\\)");

  public NpyHeader {
    shape = shape.clone();
  }

  @Override
  public int[] shape() {
    return shape.clone();
  }

  /** Number of elements, the product of the shape. */
  public long elements() {
    long product = 1;
    for (int s : shape) {
      product = Math.multiplyExact(product, (long) s);
    }
    return product;
  }

  /** Bytes of data that the shape asks for. */
  public long dataBytes() {
    return Math.multiplyExact(elements(), (long) type.bytes());
  }

  /** Elements of one entry along the first axis. */
  public long elementsPerEntry() {
    long product = 1;
    for (int k = 1; k < shape.length; k++) {
      product = Math.multiplyExact(product, (long) shape[k]);
    }
    return product;
  }

  /** A shape for people: {@code [512][64]}. */
  public static String text(int... shape) {
    if (shape.length == 0) {
      return "[] (a scalar)";
    }
    return Arrays.stream(shape).mapToObj(s -> "[" + s + "]").collect(Collectors.joining());
  }

  /**
   * Writes a version 1.0 header of a fixed length for the shape's rank: the first size is right
   * aligned in 10 characters, so that a growing array keeps its header length.
   */
  static byte[] encode(ElementType type, int... shape) {
    StringBuilder sizes = new StringBuilder();
    for (int k = 0; k < shape.length; k++) {
      sizes
          .append(k == 0 ? String.format(Locale.ROOT, "%10d", shape[0]) : " " + shape[k])
          .append(',');
    }
    if (shape.length > 1) {
      sizes.setLength(sizes.length() - 1);
    }
    String dict =
        "{'descr': '" + type.descr() + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
    int length = (MAGIC.length + 4 + dict.length() + 1 + 63) / 64 * 64;
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (length - MAGIC.length - 4));
    out.put(dict.getBytes(StandardCharsets.US_ASCII));
    while (out.position() < length - 1) {
      out.put((byte) ' ');
    }
    out.put((byte) '\n');
    return out.array();
  }

  /**
   * Reads a header.
   *
   * @param file the file's first bytes: all of it, or at least its header
   * @param name the file, for messages
   * @throws StoreException of kind BAD_FILE
   */
  public static NpyHeader decode(byte[] file, String name) {
    if (file.length < MAGIC.length + 4
        || !Arrays.equals(Arrays.copyOf(file, MAGIC.length), MAGIC)) {
      throw bad(name, "it does not begin with the .npy magic bytes; save it with numpy.save");
    }
    int version = file[6];
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int begin;
    long length;
    if (version == 1) {
      begin = 10;
      length = in.getShort(8) & 0xffff;
    } else if (version == 2 || version == 3) {
      begin = 12;
      length = file.length < 12 ? LONGEST : in.getInt(8) & 0xffffffffL;
    } else {
      throw bad(name, ".npy version " + version + " is not known (1, 2 and 3 are)");
    }
    if (length > LONGEST || begin + length > file.length) {
      throw bad(
          name,
          "the file is truncated: its header needs "
              + (begin + length)
              + " bytes, there are "
              + file.length);
    }
    String dict =
        new String(
            file,
            begin,
            (int) length,
            version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    return parse(dict, begin + (int) length, name);
  }

  private static NpyHeader parse(String dict, int bytes, String name) {
    Matcher descr = DESCR.matcher(dict);
    if (!descr.find()) {
      Matcher any = DESCR_ANY.matcher(dict);
      throw bad(
          name,
          "element type "
              + (any.find() ? any.group(1) : "missing")
              + " is not supported; use float32, float64, int32 or int64");
    }
    ElementType type = ElementType.ofDescr(descr.group(1));
    if (type == null) {
      throw bad(
          name,
          "element type '"
              + descr.group(1)
              + "' is not supported; convert with a.astype('float64') (float32, float64, int32 and"
              + " int64 are read)");
    }
    Matcher fortran = FORTRAN.matcher(dict);
    Matcher shape = SHAPE.matcher(dict);
    if (!fortran.find() || !shape.find()) {
      throw bad(name, "the header is damaged: " + dict.strip());
    }
    int[] sizes = sizes(shape.group(1), name);
    if (fortran.group(1).equals("True") && sizes.length > 1) {
      throw bad(
          name,
          "the array of shape "
              + text(sizes)
              + " is in Fortran order; save numpy.ascontiguousarray(a) instead");
    }
    ByteOrder order =
        switch (descr.group(1).charAt(0)) {
          case '>' -> ByteOrder.BIG_ENDIAN;
          case '<' -> ByteOrder.LITTLE_ENDIAN;
          default -> ByteOrder.nativeOrder();
        };
    return new NpyHeader(type, order, sizes, bytes);
  }

  private static int[] sizes(String text, String name) {
    String[] parts = text.isBlank() ? new String[0] : text.split(",", 0);
    int[] sizes = new int[parts.length];
    for (int k = 0; k < parts.length; k++) {
      String part = parts[k].strip();
      try {
        sizes[k] = Integer.parseInt(part);
      } catch (NumberFormatException e) {
        throw bad(name, "size '" + part + "' in shape (" + text + ") is not a number below 2^31");
      }
      if (sizes[k] < 0) {
        throw bad(name, "negative size in shape (" + text + ")");
      }
    }
    return sizes;
  }

  static StoreException bad(String name, String what) {
    return new StoreException(StoreException.Kind.BAD_FILE, "cannot read " + name + ": " + what);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NpyHeader h
        && type == h.type
        && order.equals(h.order)
        && Arrays.equals(shape, h.shape)
        && bytes == h.bytes;
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + Arrays.hashCode(shape);
  }

  @Override
  public String toString() {
    return type + text(shape);
  }
}
