package org.starling.opencl.cl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.starling.kernels.KernelVariant;

/**
 * Built programs of one context, one per (source, options); behind it the binaries of earlier
 * processes, unless the driver keeps them itself. A binary that the driver refuses is built anew
 * from source.
 */
final class ProgramCache {
  private record Key(String source, String options) {}

  private final ClApi api;
  private final Device device;
  private final Handle context;
  private final BinaryStore store;
  private final Map<Key, Handle> built = new HashMap<>();

  ProgramCache(ClApi api, Device device, Handle context, BinaryStore store) {
    this.api = api;
    this.device = device;
    this.context = context;
    this.store = store;
  }

  Handle program(KernelVariant variant) {
    Key key = new Key(variant.source().text(), variant.options());
    Handle known = built.get(key);
    if (known != null) {
      return known;
    }
    String id =
        BinaryStore.key(
            key.source(),
            key.options(),
            device.name(),
            device.driver(),
            device.platformName(),
            device.platformVersion());
    Handle program = device.keepsPrograms() ? null : fromBinary(variant, id);
    if (program == null) {
      program = fromSource(variant, key.source());
      if (!device.keepsPrograms()) {
        save(program, id);
      }
    }
    built.put(key, program);
    return program;
  }

  /** All programs, for release; the cache is empty afterwards. */
  List<Handle> drain() {
    List<Handle> all = new ArrayList<>(built.values());
    built.clear();
    return all;
  }

  private Handle fromBinary(KernelVariant variant, String id) {
    Optional<byte[]> binary = store.load(id);
    if (binary.isEmpty()) {
      return null;
    }
    Handle program = null;
    try {
      program =
          api.createProgramWithBinary(
              context, device.handle(), variant.source().entry(), binary.get());
      api.buildProgram(program, device.handle(), variant.options());
      return program;
    } catch (ClException e) {
      // A stale or foreign binary costs one build from source, no more.
      if (program != null) {
        api.release(program);
      }
      store.discard(id);
      return null;
    }
  }

  private Handle fromSource(KernelVariant variant, String source) {
    Handle program = api.createProgram(context, variant.source().entry(), source);
    try {
      api.buildProgram(program, device.handle(), variant.options());
      return program;
    } catch (ClException e) {
      String log = log(program);
      api.release(program);
      throw new ClException(
          e.call(),
          e.code(),
          "a build error",
          e.detail() + (log.isEmpty() ? "" : "\nbuild log:\n" + log),
          e);
    }
  }

  private String log(Handle program) {
    try {
      return api.buildLog(program, device.handle());
    } catch (ClException e) {
      return "(the driver gave no log: " + e.getMessage() + ")";
    }
  }

  private void save(Handle program, String id) {
    try {
      store.save(id, api.programBinary(program));
    } catch (ClException e) {
      // Without a binary the next process compiles again; nothing else depends on it.
      store.discard(id);
    }
  }
}
