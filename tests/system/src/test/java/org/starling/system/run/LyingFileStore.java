package org.starling.system.run;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.starling.core.store.FileStore;
import org.starling.core.store.StoreException;

/**
 * A file system in memory that misbehaves at its n-th change. It keeps apart what a program sees
 * and what is durable: content after {@link #force}, names after {@link #forceDirectory}. A crash
 * leaves what is durable, and any part of the rest.
 */
final class LyingFileStore implements FileStore {
  /** What goes wrong. */
  enum Fault {
    NONE,
    /** The operation fails once and changes nothing. */
    FAIL,
    /** Half of the bytes are written, then the operation fails once. */
    SHORT_WRITE,
    /** Every write from the n-th on fails half way. */
    DISK_FULL,
    /** The machine stops: nothing works any more, and only what is durable is sure to survive. */
    CRASH
  }

  private static final class Node {
    byte[] seen = new byte[0];
    byte[] durable = new byte[0];
  }

  private final Map<Path, Node> seen = new TreeMap<>();
  private final Map<Path, Node> durable = new TreeMap<>();
  private final Set<Path> seenDirectories = new HashSet<>();
  private final Set<Path> durableDirectories = new HashSet<>();
  private final Set<Path> locks = new HashSet<>();
  private final Fault fault;
  private final long at;
  private long changes;
  private boolean crashed;

  LyingFileStore() {
    this(Fault.NONE, Long.MAX_VALUE);
  }

  LyingFileStore(Fault fault, long at) {
    this.fault = fault;
    this.at = at;
  }

  /** Changes made so far. */
  long changes() {
    return changes;
  }

  /** All files by path, as a program sees them. */
  Map<Path, byte[]> files() {
    Map<Path, byte[]> all = new TreeMap<>();
    seen.forEach((path, node) -> all.put(path, node.seen));
    return all;
  }

  /** The disk after a repair: every file as the program saw it. */
  LyingFileStore healed() {
    return failingWith(Fault.NONE, Long.MAX_VALUE);
  }

  /** The same disk with a fault to come. */
  LyingFileStore failingWith(Fault kind, long n) {
    LyingFileStore next = new LyingFileStore(kind, n);
    next.seenDirectories.addAll(seenDirectories);
    next.durableDirectories.addAll(seenDirectories);
    seen.forEach((path, node) -> next.put(path, node.seen));
    return next;
  }

  /**
   * The disk after a crash.
   *
   * @param luck what of the rest survives, in directories as in files; null for nothing
   */
  LyingFileStore afterCrash(Random luck) {
    LyingFileStore next = new LyingFileStore();
    Map<Path, Boolean> kept = new HashMap<>();
    for (Path directory : union(seenDirectories, durableDirectories)) {
      boolean names = luck != null && luck.nextBoolean();
      kept.put(directory, names);
      if (durableDirectories.contains(directory)) {
        next.seenDirectories.add(directory);
        next.durableDirectories.add(directory);
      }
    }
    for (Path path : union(seen.keySet(), durable.keySet())) {
      Map<Path, Node> names = kept.getOrDefault(path.getParent(), false) ? seen : durable;
      if (names.containsKey(path) && next.durableDirectories.contains(path.getParent())) {
        next.put(path, survivor(names.get(path), luck));
      }
    }
    return next;
  }

  private static byte[] survivor(Node node, Random luck) {
    if (luck == null || luck.nextInt(3) == 0) {
      return node.durable;
    }
    if (luck.nextBoolean()) {
      return node.seen;
    }
    // Pages are written in any order: a part of the new bytes over the old ones.
    int length = luck.nextBoolean() ? node.seen.length : node.durable.length;
    byte[] mixed = Arrays.copyOf(node.durable, length);
    int from = length == 0 ? 0 : luck.nextInt(length);
    int to = Math.min(node.seen.length, from + luck.nextInt(length + 1));
    if (to > from) {
      System.arraycopy(node.seen, from, mixed, from, Math.min(to, length) - from);
    }
    return mixed;
  }

  private static <T> Set<T> union(Set<T> a, Set<T> b) {
    Set<T> all = new java.util.TreeSet<>(a);
    all.addAll(b);
    return all;
  }

  private void put(Path path, byte[] content) {
    Node node = new Node();
    node.seen = content.clone();
    node.durable = content.clone();
    seen.put(path, node);
    durable.put(path, node);
  }

  // --- faults ---

  private void alive() {
    if (crashed) {
      throw new StoreException(StoreException.Kind.IO, "the machine has stopped");
    }
  }

  /** Counts a change; true if only half of a write is to happen before the failure. */
  private boolean change(boolean writes) {
    alive();
    changes++;
    if (fault == Fault.DISK_FULL && changes >= at && writes) {
      return true;
    }
    if (changes != at || fault == Fault.NONE || fault == Fault.DISK_FULL) {
      return false;
    }
    if (fault == Fault.CRASH) {
      crashed = true;
      if (writes) {
        return true;
      }
      throw new StoreException(StoreException.Kind.IO, "the machine stops at change " + at);
    }
    if (fault == Fault.SHORT_WRITE && writes) {
      return true;
    }
    throw new StoreException(StoreException.Kind.IO, "change " + at + " fails");
  }

  private void splice(Path file, long offset, byte[] content, boolean half) {
    Node node = seen.get(file);
    int length = half ? content.length / 2 : content.length;
    int end = (int) offset + length;
    node.seen = Arrays.copyOf(node.seen, Math.max(node.seen.length, end));
    System.arraycopy(content, 0, node.seen, (int) offset, length);
    if (half) {
      throw new StoreException(
          StoreException.Kind.IO, "only " + length + " of " + content.length + " bytes of " + file);
    }
  }

  // --- reading ---

  @Override
  public boolean exists(Path file) {
    alive();
    return seen.containsKey(file) || seenDirectories.contains(file);
  }

  @Override
  public long size(Path file) {
    return node(file).seen.length;
  }

  @Override
  public byte[] read(Path file) {
    return node(file).seen.clone();
  }

  @Override
  public byte[] read(Path file, long offset, int length) {
    byte[] all = node(file).seen;
    int from = (int) Math.min(offset, all.length);
    return Arrays.copyOfRange(all, from, (int) Math.min((long) from + length, all.length));
  }

  private Node node(Path file) {
    alive();
    Node node = seen.get(file);
    if (node == null) {
      throw new StoreException(StoreException.Kind.IO, "no such file: " + file);
    }
    return node;
  }

  @Override
  public List<String> list(Path directory) {
    alive();
    return seen.keySet().stream()
        .filter(p -> directory.equals(p.getParent()))
        .map(p -> p.getFileName().toString())
        .sorted()
        .toList();
  }

  // --- changing ---

  @Override
  public void createDirectories(Path directory) {
    change(false);
    for (Path d = directory; d != null; d = d.getParent()) {
      seenDirectories.add(d);
      if (d != directory && seenDirectories.contains(d)) {
        break;
      }
    }
    if (directory.getParent() == null) {
      durableDirectories.add(directory);
    }
  }

  @Override
  public void write(Path file, byte[] content) {
    boolean half = change(true);
    seen.computeIfAbsent(file, p -> new Node()).seen = new byte[0];
    splice(file, 0, content, half);
  }

  @Override
  public void append(Path file, byte[] content) {
    boolean half = change(true);
    Node node = seen.computeIfAbsent(file, p -> new Node());
    splice(file, node.seen.length, content, half);
  }

  @Override
  public void overwrite(Path file, long offset, byte[] content) {
    boolean half = change(true);
    node(file);
    splice(file, offset, content, half);
  }

  @Override
  public void truncate(Path file, long size) {
    change(false);
    node(file).seen = Arrays.copyOf(node(file).seen, (int) size);
  }

  @Override
  public void force(Path file) {
    change(false);
    node(file).durable = node(file).seen.clone();
  }

  @Override
  public void forceDirectory(Path directory) {
    change(false);
    durable.keySet().removeIf(p -> directory.equals(p.getParent()));
    seen.forEach(
        (path, node) -> {
          if (directory.equals(path.getParent())) {
            durable.put(path, node);
          }
        });
    seenDirectories.stream()
        .filter(d -> directory.equals(d.getParent()))
        .forEach(durableDirectories::add);
  }

  @Override
  public void move(Path from, Path to) {
    change(false);
    seen.put(to, node(from));
    seen.remove(from);
  }

  @Override
  public void delete(Path file) {
    change(false);
    seen.remove(file);
  }

  @Override
  public Lock lock(Path file) {
    alive();
    return locks.add(file) ? () -> locks.remove(file) : null;
  }
}
