package org.starling.core.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the frames of a run, also of one that is still going on or was killed: sealed segments by
 * the index, the open one as far as its header and its length agree.
 */
public final class TrajectoryReader {
  private record Segment(Path file, NpyHeader header, int first, int frames) {}

  private final FileStore store;
  private final List<Segment> segments = new ArrayList<>();
  private final List<Double> times = new ArrayList<>();

  private TrajectoryReader(FileStore store) {
    this.store = store;
  }

  /**
   * Opens the frames of a run directory; a run without a trajectory has 0 frames.
   *
   * @throws StoreException of kind DAMAGED or BAD_FILE with the file
   */
  public static TrajectoryReader open(Path run) {
    return open(FileStore.disk(), run);
  }

  static TrajectoryReader open(FileStore store, Path run) {
    TrajectoryReader reader = new TrajectoryReader(store);
    Path directory = run.resolve("traj");
    List<Map<String, Object>> index = AppendedLines.read(store, directory.resolve("index.jsonl"));
    for (Map<String, Object> line : index) {
      reader.add(directory.resolve((String) line.get("file")));
      for (Object t : (List<?>) line.get("times")) {
        reader.times.add(Json.number(t));
      }
    }
    Path open = directory.resolve(String.format(java.util.Locale.ROOT, "%06d.npy", index.size()));
    if (store.exists(open)) {
      reader.add(open);
      reader.addOpenTimes(AppendedLines.read(store, run.resolve("scalars.jsonl")));
    }
    return reader;
  }

  private void add(Path file) {
    NpyHeader header = NpyHeader.decode(store.read(file, 0, 4096), file.toString());
    long entry = header.elementsPerEntry() * header.type().bytes();
    long whole = (store.size(file) - header.bytes()) / entry;
    segments.add(new Segment(file, header, frames(), (int) Math.min(whole, header.shape()[0])));
  }

  /** Times of an open segment are those of the reports, one a frame. */
  private void addOpenTimes(List<Map<String, Object>> reports) {
    for (int k = times.size(); k < Math.min(frames(), reports.size()); k++) {
      times.add(Json.number(reports.get(k).get("t")));
    }
    int excess = frames() - times.size();
    if (excess > 0) {
      Segment last = segments.remove(segments.size() - 1);
      segments.add(new Segment(last.file(), last.header(), last.first(), last.frames() - excess));
    }
  }

  /** Number of frames. */
  public int frames() {
    if (segments.isEmpty()) {
      return 0;
    }
    Segment last = segments.get(segments.size() - 1);
    return last.first() + last.frames();
  }

  /** Shape of a frame: {@code [n][d]} or {@code [R][n][d]}; empty without frames. */
  public int[] frameShape() {
    if (segments.isEmpty()) {
      return new int[0];
    }
    int[] shape = segments.get(0).header().shape();
    return java.util.Arrays.copyOfRange(shape, 1, shape.length);
  }

  /** Time of a frame. */
  public double time(int frame) {
    return times.get(frame);
  }

  /** Positions of a frame, row-major, exact. */
  public double[] frame(int frame) {
    for (Segment s : segments) {
      if (frame >= s.first() && frame < s.first() + s.frames()) {
        NpyHeader header = s.header();
        int elements = Math.toIntExact(header.elementsPerEntry());
        int bytes = elements * header.type().bytes();
        byte[] raw =
            store.read(s.file(), header.bytes() + (long) (frame - s.first()) * bytes, bytes);
        ByteBuffer data = NpyArray.view(raw, 0, raw.length, header.order());
        double[] out = new double[elements];
        for (int k = 0; k < elements; k++) {
          out[k] = header.type().doubleAt(data, k);
        }
        return out;
      }
    }
    throw new IndexOutOfBoundsException("frame " + frame + " of " + frames());
  }
}
