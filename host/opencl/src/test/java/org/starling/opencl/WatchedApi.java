package org.starling.opencl;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jocl.CL;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.Handle;

/**
 * OpenCL calls under watch: every buffer lies between guard zones that are checked when it is
 * released, every handle is counted, and the n-th call can be made to fail.
 */
final class WatchedApi implements InvocationHandler {
  private static final int GUARD = 4096;

  private final ClApi real;
  private final ClApi watched;
  private final Set<Handle> open = new LinkedHashSet<>();
  private final Map<Handle, Guarded> guards = new HashMap<>();
  private final List<String> damage = new ArrayList<>();
  private Handle queue;
  private int calls;
  private int launches;
  private int made;
  private int failAt;
  private int code;
  private String failedName;
  private String failedOn;

  private record Guarded(Handle whole, long bytes, byte pattern) {}

  WatchedApi(ClApi real) {
    this.real = real;
    this.watched =
        (ClApi)
            Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, this);
  }

  ClApi api() {
    return watched;
  }

  /** Makes the n-th call from now on fail. */
  void failAt(int n, int errorCode) {
    calls = 0;
    failAt = n;
    code = errorCode;
    failedName = null;
    failedOn = null;
  }

  int calls() {
    return calls;
  }

  /** The call that failed, or null if none did yet. */
  String failedName() {
    return failedName;
  }

  /** What the failed call was on: handles and names. */
  String failedOn() {
    return failedOn;
  }

  /** Kernel launches so far. */
  int launches() {
    return launches;
  }

  /** Handles made and not released. */
  Set<Handle> open() {
    return open;
  }

  /** Guard zones found overwritten. */
  List<String> damage() {
    return damage;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    calls++;
    String name = method.getName();
    boolean fails = calls == failAt;
    if (fails) {
      failedName = name;
      failedOn =
          Arrays.stream(arguments == null ? new Object[0] : arguments)
              .filter(a -> a instanceof Handle || (a instanceof String s && s.length() < 200))
              .map(Object::toString)
              .collect(Collectors.joining(", "));
    }
    if (fails && !name.equals("release")) {
      throw new ClException(name, code, CL.stringFor_errorCode(code), failedOn, null);
    }
    Object result = call(method, arguments);
    if (name.equals("createQueue")) {
      queue = (Handle) result;
    }
    if (name.startsWith("create") || name.equals("enqueueKernel")) {
      open.add((Handle) result);
    }
    if (name.startsWith("enqueueKernel")) {
      launches++;
    }
    if (name.equals("release")) {
      open.remove((Handle) arguments[0]);
    }
    if (fails) {
      throw new ClException(name, code, CL.stringFor_errorCode(code), failedOn, null);
    }
    return result;
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "createBuffer":
        return guarded((Handle) arguments[0], (String) arguments[1], (Long) arguments[2]);
      case "release":
        Guarded g = guards.remove((Handle) arguments[0]);
        if (g != null) {
          inspect((Handle) arguments[0], g);
          real.release((Handle) arguments[0]);
          real.release(g.whole());
          return null;
        }
        break;
      default:
        break;
    }
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Handle guarded(Handle context, String name, long bytes) {
    Handle whole = real.createBuffer(context, name, bytes + 2 * GUARD);
    // Each buffer has its own pattern, or a copy that runs over would leave no trace.
    byte pattern = (byte) (0x51 + 37 * made++);
    real.fill(queue, whole, new byte[] {pattern}, 0, bytes + 2 * GUARD);
    Handle inner = real.createSubBuffer(whole, name, GUARD, bytes);
    guards.put(inner, new Guarded(whole, bytes, pattern));
    return inner;
  }

  private void inspect(Handle inner, Guarded g) {
    byte[] zone = new byte[GUARD];
    for (long at : new long[] {0, GUARD + g.bytes()}) {
      real.read(queue, g.whole(), at, GUARD, ByteBuffer.wrap(zone));
      for (int i = 0; i < GUARD; i++) {
        if (zone[i] != g.pattern()) {
          damage.add(
              inner + " of " + g.bytes() + " bytes: byte " + (at + i - GUARD) + " was overwritten");
          break;
        }
      }
    }
  }
}
