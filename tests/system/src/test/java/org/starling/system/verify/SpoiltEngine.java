package org.starling.system.verify;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;

/** An engine whose one operation has been spoilt after the fact. */
final class SpoiltEngine {
  private SpoiltEngine() {}

  /** Spoils the field that {@code velocity} has just written; told how often it was called. */
  interface Fault {
    void spoil(double[] field, int call);
  }

  /** The engine with a fault in its velocities. */
  static Engine velocity(Engine engine, Fault fault) {
    int[] calls = {0};
    return proxy(
        engine,
        (self, method, args) -> {
          Object result = call(engine, method, args);
          if (method.getName().equals("velocity")) {
            Field v = (Field) args[3];
            double[] values = engine.download(v);
            fault.spoil(values, calls[0]++);
            engine.upload(v, values);
          }
          return result;
        });
  }

  /** The engine with a fault in what {@code combine} or {@code retract} leaves. */
  static Engine state(Engine engine, String operation, Fault fault) {
    return proxy(
        engine,
        (self, method, args) -> {
          Object result = call(engine, method, args);
          if (method.getName().equals(operation)) {
            State x = (State) args[0];
            double[] values = engine.download(x);
            fault.spoil(values, 0);
            engine.upload(x, values);
          }
          return result;
        });
  }

  private static Engine proxy(Engine engine, InvocationHandler handler) {
    return (Engine)
        Proxy.newProxyInstance(
            SpoiltEngine.class.getClassLoader(), new Class<?>[] {Engine.class}, handler);
  }

  private static Object call(Engine engine, java.lang.reflect.Method method, Object[] args)
      throws Throwable {
    try {
      return method.invoke(engine, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
