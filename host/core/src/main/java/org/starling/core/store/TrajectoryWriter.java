package org.starling.core.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Frames of a run in segments {@code traj/NNNNNN.npy} of shape {@code [frames][n][d]} (replicas:
 * {@code [frames][R][n][d]}). The number of frames in a segment depends on the shape alone, so that
 * an interrupted run cuts its segments where an undisturbed one does. A full segment is made
 * durable, then hashed, then entered in {@code traj/index.jsonl}.
 */
public final class TrajectoryWriter {
  private static final int MOST_FRAMES = 1000;

  private final FileStore store;
  private final RunDirectory directory;
  private final ElementType type;
  private final int[] frameShape;
  private final int framesPerSegment;
  private final List<Double> openTimes = new ArrayList<>();
  private AppendedLines index;
  private NpyAppender open;
  private int frames;
  private long openFirstStep;

  /** Of the frames in the open segment. */
  private Sha256 openHash;

  private TrajectoryWriter(
      RunDirectory directory, long segmentBytes, ElementType type, int... frameShape) {
    this.store = directory.store();
    this.directory = directory;
    this.type = type;
    this.frameShape = frameShape.clone();
    long bytes = type.bytes();
    for (int s : frameShape) {
      bytes *= s;
    }
    this.framesPerSegment = (int) Math.max(1, Math.min(MOST_FRAMES, segmentBytes / bytes));
  }

  /**
   * Starts without frames; what an earlier run left in {@code traj/} is deleted.
   *
   * @param segmentBytes size at which a segment is sealed; it holds one frame at least
   */
  public static TrajectoryWriter create(
      RunDirectory directory, long segmentBytes, ElementType type, int... frameShape) {
    TrajectoryWriter writer = new TrajectoryWriter(directory, segmentBytes, type, frameShape);
    writer.store.createDirectories(directory.trajectory());
    writer.store.forceDirectory(directory.path());
    writer.index = AppendedLines.create(writer.store, directory.trajectoryIndex());
    writer.store.force(directory.trajectoryIndex());
    writer.deleteSegmentsFrom(0);
    return writer;
  }

  /**
   * Goes on where a checkpoint was: {@code position} is what {@link #position} gave. Later frames
   * are cut off; what stays is checked against its hash, the open segment too.
   *
   * @throws StoreException of kind DAMAGED
   */
  public static TrajectoryWriter restore(
      RunDirectory directory,
      Map<String, Object> position,
      long segmentBytes,
      ElementType type,
      int... frameShape) {
    int frames = Math.toIntExact(Json.integer(position.get("frames")));
    if (frames == 0) {
      return create(directory, segmentBytes, type, frameShape);
    }
    TrajectoryWriter writer = new TrajectoryWriter(directory, segmentBytes, type, frameShape);
    writer.frames = frames;
    // The index first: it must never name a segment that is gone.
    writer.index =
        AppendedLines.restore(
            writer.store, directory.trajectoryIndex(), Json.integer(position.get("index_bytes")));
    writer.store.force(directory.trajectoryIndex());
    int sealed = frames / writer.framesPerSegment;
    int inOpen = frames % writer.framesPerSegment;
    writer.verifySealed(sealed);
    if (inOpen > 0) {
      writer.open =
          NpyAppender.restore(writer.store, writer.segment(sealed), type, inOpen, frameShape);
      writer.openHash = writer.open.hash();
      writer.verifyOpen(position.get("open_sha256"));
      writer.openFirstStep = Json.integer(position.get("open_first_step"));
      for (Object t : (List<?>) position.get("open_times")) {
        writer.openTimes.add(Json.number(t));
      }
    }
    writer.deleteSegmentsFrom(sealed + (inOpen > 0 ? 1 : 0));
    return writer;
  }

  private void verifyOpen(Object wanted) {
    String found = openHash.hex();
    // Checkpoints of the first versions had no hash.
    if (wanted != null && !found.equals(wanted)) {
      throw damaged(open.file(), "the checkpoint", found);
    }
  }

  private static StoreException damaged(Path file, String witness, String found) {
    return new StoreException(
        StoreException.Kind.DAMAGED,
        file
            + " is damaged: its sha256 is not the one in "
            + witness
            + " ("
            + found
            + "); restore it from a copy or start again with --force");
  }

  private void verifySealed(int sealed) {
    List<Map<String, Object>> lines = AppendedLines.read(store, directory.trajectoryIndex());
    if (lines.size() != sealed) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          directory.trajectoryIndex()
              + " is damaged: "
              + lines.size()
              + " segments listed, the checkpoint knows "
              + sealed
              + "; restore it from a copy or start again with --force");
    }
    for (int k = 0; k < sealed; k++) {
      Path file = segment(k);
      String found = store.exists(file) ? Sha256.of(store, file) : "no such file";
      if (!found.equals(lines.get(k).get("sha256"))) {
        throw damaged(file, "index.jsonl", found);
      }
    }
  }

  private void deleteSegmentsFrom(int first) {
    for (String name : store.list(directory.trajectory())) {
      if (name.matches("\\d{6,}\\.npy")
          && Integer.parseInt(name.substring(0, name.length() - 4)) >= first) {
        store.delete(directory.trajectory().resolve(name));
      }
    }
  }

  private Path segment(int number) {
    return directory.trajectory().resolve(segmentName(number));
  }

  private static String segmentName(int number) {
    return String.format(java.util.Locale.ROOT, "%06d.npy", number);
  }

  /** Frames written. */
  public int frames() {
    return frames;
  }

  public int framesPerSegment() {
    return framesPerSegment;
  }

  /**
   * Adds a frame.
   *
   * @param step accepted steps when it was reached (the smallest over replicas)
   * @param t its time
   * @param positions row-major
   */
  public void append(long step, double t, double[] positions) {
    if (open == null) {
      open = NpyAppender.create(store, segment(frames / framesPerSegment), type, frameShape);
      openFirstStep = step;
      openHash = new Sha256();
    }
    open.append(positions, openHash::add);
    openTimes.add(t);
    frames++;
    if (open.entries() == framesPerSegment) {
      seal();
    }
  }

  /** Seals the last segment at the end of a run, however short it is. */
  public void finish() {
    if (open != null) {
      seal();
    }
  }

  private void seal() {
    open.force();
    store.forceDirectory(directory.trajectory());
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("file", open.file().getFileName().toString());
    line.put("first_frame", frames - open.entries());
    line.put("frames", open.entries());
    line.put("first_step", openFirstStep);
    line.put("times", List.copyOf(openTimes));
    line.put("sha256", Sha256.of(store, open.file()));
    index.append(line);
    index.force();
    open = null;
    openTimes.clear();
  }

  /** Makes everything written so far durable. */
  public void force() {
    if (open != null) {
      open.force();
    }
    index.force();
    store.forceDirectory(directory.trajectory());
  }

  /** Where the writing stands, for a checkpoint. */
  public Map<String, Object> position() {
    Map<String, Object> position = new LinkedHashMap<>();
    position.put("frames", frames);
    position.put("index_bytes", index.bytes());
    position.put("open_first_step", openFirstStep);
    position.put("open_times", List.copyOf(openTimes));
    position.put("open_sha256", open == null ? null : openHash.hex());
    return position;
  }
}
