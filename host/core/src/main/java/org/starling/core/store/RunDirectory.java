package org.starling.core.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The directory of one run: names of its files, who may write it, and when it may be replaced. The
 * layout is the contract with every reader (design, section 4).
 */
public final class RunDirectory implements AutoCloseable {
  /** Subdirectories that a run fills; others in the directory are never touched. */
  private static final List<String> PARTS = List.of("checkpoint", "traj", "observables");

  private static final List<String> FILES =
      List.of("events.jsonl", "final.npy", "replicas.jsonl", "scalars.jsonl", "status.json");

  private final FileStore store;
  private final Path path;
  private final FileStore.Lock lock;

  private RunDirectory(FileStore store, Path path, FileStore.Lock lock) {
    this.store = store;
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes a directory for a new run; it is created if missing.
   *
   * @param experimentText the resolved experiment, written as {@code experiment.yaml}
   * @param force whether a run that is there may be deleted
   * @throws StoreException of kind REFUSED if the directory holds a run or other files, LOCKED if
   *     another process works on it
   */
  public static RunDirectory create(
      FileStore store, Path path, String experimentText, boolean force) {
    store.createDirectories(path);
    RunDirectory directory = new RunDirectory(store, path, lock(store, path));
    boolean done = false;
    try {
      directory.clear(force);
      store.replace(directory.experiment(), experimentText.getBytes(StandardCharsets.UTF_8));
      done = true;
    } finally {
      if (!done) {
        directory.close();
      }
    }
    return directory;
  }

  /**
   * Takes the directory of an existing run to go on with it.
   *
   * @throws StoreException of kind REFUSED if there is no run, LOCKED if another process works on
   *     it
   */
  public static RunDirectory open(FileStore store, Path path) {
    if (!store.exists(path.resolve("experiment.yaml"))) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          path + " is not the directory of a run: it has no experiment.yaml");
    }
    return new RunDirectory(store, path, lock(store, path));
  }

  private static FileStore.Lock lock(FileStore store, Path path) {
    FileStore.Lock lock = store.lock(path.resolve(".lock"));
    if (lock == null) {
      throw new StoreException(
          StoreException.Kind.LOCKED,
          "another process is working on " + path + "; wait for it, or choose another directory");
    }
    return lock;
  }

  private void clear(boolean force) {
    List<String> there =
        store.list(path).stream()
            .filter(name -> !name.equals(".lock") && !name.equals(".experiment.yaml.new"))
            .toList();
    if (there.isEmpty()) {
      return;
    }
    if (!there.contains("experiment.yaml")) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          path
              + " holds files that are not a run ("
              + there.get(0)
              + (there.size() > 1 ? ", ..." : "")
              + "); choose another directory");
    }
    if (!force) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          path
              + (finished() ? " holds a finished run" : " holds an unfinished run")
              + "; "
              + (finished() ? "extend it with 'extend'" : "continue it with 'resume'")
              + ", choose another directory, or replace it with --force");
    }
    // The manifest first: from then on nothing claims that the rest is a whole run.
    store.delete(manifest());
    store.forceDirectory(path);
    for (String part : PARTS) {
      for (String name : store.list(path.resolve(part))) {
        store.delete(path.resolve(part).resolve(name));
      }
    }
    for (String file : FILES) {
      store.delete(path.resolve(file));
    }
    store.forceDirectory(path);
  }

  public FileStore store() {
    return store;
  }

  public Path path() {
    return path;
  }

  /** The resolved experiment. */
  public Path experiment() {
    return path.resolve("experiment.yaml");
  }

  public Path manifest() {
    return path.resolve("manifest.json");
  }

  public Path scalars() {
    return path.resolve("scalars.jsonl");
  }

  public Path trajectory() {
    return path.resolve("traj");
  }

  public Path trajectoryIndex() {
    return trajectory().resolve("index.jsonl");
  }

  public Path finalState() {
    return path.resolve("final.npy");
  }

  public Path replicas() {
    return path.resolve("replicas.jsonl");
  }

  public Path events() {
    return path.resolve("events.jsonl");
  }

  public Path observables() {
    return path.resolve("observables");
  }

  public Path observable(String name) {
    return observables().resolve(name + ".npy");
  }

  public Path checkpoints() {
    return path.resolve("checkpoint");
  }

  public Path status() {
    return path.resolve("status.json");
  }

  public Path figures() {
    return path.resolve("figures");
  }

  /** Text of the resolved experiment. */
  public String experimentText() {
    return new String(store.read(experiment()), StandardCharsets.UTF_8);
  }

  /** The manifest, empty if none has been written yet. */
  public Map<String, Object> readManifest() {
    if (!store.exists(manifest())) {
      return new LinkedHashMap<>();
    }
    try {
      return Json.read(store.read(manifest()), manifest().toString());
    } catch (StoreException e) {
      if (e.kind() != StoreException.Kind.DAMAGED) {
        throw e;
      }
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          e.getMessage() + "; restore it from a copy, or delete it and `starling resume` the run",
          e);
    }
  }

  /**
   * Whether the run reached an end that going on would not change, for the experiment as it stands
   * in the directory now.
   */
  public boolean finished() {
    Map<String, Object> manifest = readManifest();
    return Boolean.TRUE.equals(manifest.get("finished"))
        && Sha256.of(store.read(experiment())).equals(manifest.get("experiment_sha256"));
  }

  /** Replaces the resolved experiment, to extend the run. */
  public void replaceExperiment(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(bytes, store.read(experiment()))) {
      store.replace(experiment(), bytes);
    }
  }

  /** Gives the directory back to others. */
  @Override
  public void close() {
    lock.close();
  }
}
