package org.starling.app;

import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands, handing them the terminal. */
final class CommandFactory implements IFactory {
  private final Terminal terminal;

  CommandFactory(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> c : type.getDeclaredConstructors()) {
      if (c.getParameterCount() == 1 && c.getParameterTypes()[0] == Terminal.class) {
        return type.cast(c.newInstance(terminal));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
