package org.starling.core.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The checkpoints of a run: {@code checkpoint/NNNNNN.bin}, valid once {@code NNNNNN.commit} with
 * its length and hash is there. The last two are kept, and the last one from which the run can be
 * extended.
 */
public final class Checkpoints {
  private static final byte[] MAGIC = "STARLCP1".getBytes(StandardCharsets.US_ASCII);
  private static final int GENERATIONS = 2;

  private final FileStore store;
  private final Path directory;

  public Checkpoints(RunDirectory run) {
    store = run.store();
    directory = run.checkpoints();
  }

  /**
   * Writes a checkpoint; the outputs it counts must be durable already. Older generations are
   * deleted after it is committed.
   *
   * @param keep entry of the facts: the newest checkpoint where it is true is never deleted
   * @return its number
   */
  public int write(Checkpoint checkpoint, String keep) {
    if (!store.exists(directory)) {
      store.createDirectories(directory);
      store.forceDirectory(FileStore.directory(directory));
    }
    int number = 1;
    for (String name : store.list(directory)) {
      number = Math.max(number, numberOf(name) + 1);
    }
    Path file = file(number, "bin");
    List<byte[]> pieces = encode(checkpoint);
    long bytes = 0;
    store.write(file, new byte[0]);
    for (byte[] piece : pieces) {
      store.append(file, piece);
      bytes += piece.length;
    }
    store.force(file);
    store.forceDirectory(directory);
    Map<String, Object> commit = new LinkedHashMap<>();
    commit.put("bytes", bytes);
    commit.put("sha256", Sha256.of(pieces.toArray(byte[][]::new)));
    commit.put(keep, Boolean.TRUE.equals(checkpoint.facts().get(keep)));
    store.replace(file(number, "commit"), Json.line(commit));
    deleteOld(keep);
    return number;
  }

  private void deleteOld(String keep) {
    List<Integer> numbers = committed();
    int kept = 0;
    boolean special = false;
    for (int number : numbers) {
      Map<String, Object> commit = commit(number);
      boolean isSpecial = commit != null && Boolean.TRUE.equals(commit.get(keep));
      if (kept < GENERATIONS || (isSpecial && !special)) {
        kept++;
        special |= isSpecial;
        continue;
      }
      store.delete(file(number, "commit"));
      store.delete(file(number, "bin"));
    }
    for (String name : store.list(directory)) {
      if (name.endsWith(".bin") && !numbers.contains(numberOf(name))) {
        store.delete(directory.resolve(name));
      }
    }
  }

  /**
   * The newest checkpoint that is whole and passes the test.
   *
   * @return null if there is none
   */
  public Checkpoint latest(Predicate<Map<String, Object>> usable) {
    for (int number : committed()) {
      Checkpoint checkpoint = read(number);
      if (checkpoint != null && usable.test(checkpoint.facts())) {
        return checkpoint;
      }
    }
    return null;
  }

  /** Whether any checkpoint was ever committed here. */
  public boolean any() {
    return !committed().isEmpty();
  }

  private List<Integer> committed() {
    List<Integer> numbers = new ArrayList<>();
    for (String name : store.list(directory)) {
      if (name.endsWith(".commit") && !name.startsWith(".")) {
        numbers.add(numberOf(name));
      }
    }
    numbers.sort(Comparator.reverseOrder());
    return numbers;
  }

  private Map<String, Object> commit(int number) {
    Path file = file(number, "commit");
    try {
      return Json.read(store.read(file), file.toString());
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.DAMAGED) {
        return null; // an older generation takes its place
      }
      throw e;
    }
  }

  private Checkpoint read(int number) {
    Map<String, Object> commit = commit(number);
    Path file = file(number, "bin");
    if (commit == null || !store.exists(file)) {
      return null;
    }
    long bytes = Json.integer(commit.get("bytes"));
    if (store.size(file) != bytes) {
      return null;
    }
    List<byte[]> pieces = new ArrayList<>();
    byte[] head = store.read(file, 0, MAGIC.length + 4);
    int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(MAGIC.length);
    if (length < 0 || length > bytes) {
      return null;
    }
    byte[] json = store.read(file, head.length, length);
    pieces.add(head);
    pieces.add(json);
    Map<String, Object> header;
    try {
      header = Json.read(json, file.toString());
    } catch (StoreException e) {
      return null;
    }
    Map<String, byte[]> sections = new LinkedHashMap<>();
    long offset = head.length + (long) length;
    for (Map.Entry<?, ?> e : ((Map<?, ?>) header.get("sections")).entrySet()) {
      byte[] section = store.read(file, offset, Math.toIntExact(Json.integer(e.getValue())));
      sections.put((String) e.getKey(), section);
      pieces.add(section);
      offset += section.length;
    }
    if (!Sha256.of(pieces.toArray(byte[][]::new)).equals(commit.get("sha256"))) {
      return null;
    }
    return new Checkpoint(facts(header), sections);
  }

  private static Map<String, Object> facts(Map<String, Object> header) {
    Map<String, Object> facts = new LinkedHashMap<>();
    ((Map<?, ?>) header.get("facts")).forEach((k, v) -> facts.put((String) k, v));
    return facts;
  }

  private static List<byte[]> encode(Checkpoint checkpoint) {
    Map<String, Object> lengths = new LinkedHashMap<>();
    checkpoint.sections().forEach((name, bytes) -> lengths.put(name, bytes.length));
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("facts", checkpoint.facts());
    header.put("sections", lengths);
    byte[] json = Json.line(header);
    ByteBuffer head = ByteBuffer.allocate(MAGIC.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    head.put(MAGIC).putInt(json.length);
    List<byte[]> pieces = new ArrayList<>();
    pieces.add(head.array());
    pieces.add(json);
    pieces.addAll(checkpoint.sections().values());
    return pieces;
  }

  private Path file(int number, String suffix) {
    return directory.resolve(String.format(Locale.ROOT, "%06d.%s", number, suffix));
  }

  /** Number in a name, 0 for other files. */
  private static int numberOf(String name) {
    int dot = name.indexOf('.');
    return dot > 0 && name.substring(0, dot).matches("\\d{6,9}")
        ? Integer.parseInt(name.substring(0, dot))
        : 0;
  }
}
