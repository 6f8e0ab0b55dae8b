package org.starling.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** {@link FileStore} on the file system of this machine. */
final class DiskFileStore implements FileStore {
  static final DiskFileStore INSTANCE = new DiskFileStore();

  private static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8L;

  private DiskFileStore() {}

  /** An operation of the file system. */
  private interface Work<T> {
    T run() throws IOException;
  }

  private static <T> T doing(String what, Path file, Work<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new StoreException(
          StoreException.Kind.IO, "cannot " + what + " " + file + ": " + reason(e, file), e);
    }
  }

  /** What the file system said, and where it is known, what to do about it. */
  private static String reason(IOException e, Path file) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "access denied; check the permissions of its folder, or choose another one";
    }
    String said = e.getMessage() == null ? e.toString() : e.getMessage();
    if (e instanceof FileSystemException f && f.getReason() != null) {
      boolean same = file.toString().equals(f.getFile());
      said = same ? f.getReason() : f.getFile() + ": " + f.getReason();
    }
    String lower = said.toLowerCase(Locale.ROOT);
    if (lower.contains("no space")
        || lower.contains("not enough space")
        || lower.contains("quota")) {
      return said + "; free some, then `starling resume` goes on with a run that has begun";
    }
    if (lower.contains("read-only")) {
      return said + "; choose another folder";
    }
    return said;
  }

  @Override
  public boolean exists(Path file) {
    return Files.exists(file);
  }

  @Override
  public long size(Path file) {
    return doing("measure", file, () -> Files.size(file));
  }

  @Override
  public byte[] read(Path file) {
    return doing(
        "read",
        file,
        () -> {
          long size = Files.size(file);
          if (size > LARGEST_ARRAY) {
            throw new IOException(size + " bytes are more than one array can hold (2 GiB)");
          }
          return Files.readAllBytes(file);
        });
  }

  @Override
  public byte[] read(Path file, long offset, int length) {
    return doing(
        "read",
        file,
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer out = ByteBuffer.allocate(length);
            while (out.hasRemaining() && channel.read(out, offset + out.position()) >= 0) {
              // read() may give less than asked for
            }
            return Arrays.copyOf(out.array(), out.position());
          }
        });
  }

  @Override
  public List<String> list(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    return doing(
        "list",
        directory,
        () -> {
          try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(p -> p.getFileName().toString()).sorted().toList();
          }
        });
  }

  @Override
  public void createDirectories(Path directory) {
    doing(
        "create directory",
        directory,
        () -> {
          try {
            return Files.createDirectories(directory);
          } catch (IOException e) {
            refuseFileInTheWay(directory, e);
            throw e;
          }
        });
  }

  private static void refuseFileInTheWay(Path directory, IOException e) {
    Path there = directory;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there != null && !Files.isDirectory(there)) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          "cannot create directory "
              + directory
              + ": "
              + there
              + " is a file; choose another directory",
          e);
    }
  }

  @Override
  public void write(Path file, byte[] content) {
    put(
        "write",
        file,
        0,
        content,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  @Override
  public void append(Path file, byte[] content) {
    put("append to", file, -1, content, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void overwrite(Path file, long offset, byte[] content) {
    put("write", file, offset, content, StandardOpenOption.WRITE);
  }

  private static void put(
      String what, Path file, long offset, byte[] content, OpenOption... options) {
    doing(
        what,
        file,
        () -> {
          try (FileChannel channel = FileChannel.open(file, options)) {
            ByteBuffer in = ByteBuffer.wrap(content);
            while (in.hasRemaining()) {
              if (offset < 0) {
                channel.write(in);
              } else {
                channel.write(in, offset + in.position());
              }
            }
            return null;
          }
        });
  }

  @Override
  public void truncate(Path file, long size) {
    doing(
        "truncate",
        file,
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
            return null;
          }
        });
  }

  @Override
  public void force(Path file) {
    doing(
        "flush",
        file,
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
            return null;
          }
        });
  }

  @Override
  public void forceDirectory(Path directory) {
    // Windows cannot open a directory, and makes names durable by itself.
    if (System.getProperty("os.name").startsWith("Windows")) {
      return;
    }
    doing(
        "flush",
        directory,
        () -> {
          try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
            return null;
          }
        });
  }

  @Override
  public void move(Path from, Path to) {
    doing(
        "replace",
        to,
        () -> {
          try {
            return Files.move(
                from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
          } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("this file system cannot rename atomically; use another", e);
          }
        });
  }

  @Override
  public void delete(Path file) {
    doing("delete", file, () -> Files.deleteIfExists(file));
  }

  @Override
  public Lock lock(Path file) {
    return doing(
        "lock",
        file,
        () -> {
          FileChannel channel =
              FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = null;
          try {
            held = channel.tryLock();
          } catch (OverlappingFileLockException e) {
            // Held by this very process: the same answer as for another one.
          } finally {
            if (held == null) {
              channel.close();
            }
          }
          return held == null ? null : () -> doing("unlock", file, () -> close(channel));
        });
  }

  private static Void close(FileChannel channel) throws IOException {
    channel.close();
    return null;
  }
}
