package io.github.libfar.agent;

import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Links the instructions that make lambdas. A lambda's class is defined when it is first needed:
 * here, or when an object of it has come from another rank.
 */
public final class Lambdas {
  private record Key(ClassLoader loader, String name) {}

  private static final Map<Key, byte[]> WAITING = new ConcurrentHashMap<>();

  static void add(ClassLoader loader, String name, byte[] file) {
    WAITING.put(new Key(loader, name.replace('/', '.')), file);
  }

  /** A bootstrap method. */
  public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type,
      String lambda) throws ReflectiveOperationException {
    final Class<?> made = find(lookup.lookupClass().getClassLoader(), lambda);
    final MethodHandle factory = lookup.findStatic(made, name, type);
    return new ConstantCallSite(factory);
  }

  /** The class of this name, whether or not it has been defined yet. */
  public static Class<?> find(ClassLoader loader, String name) throws ClassNotFoundException {
    final int cut = name.indexOf(Names.LAMBDA_INFIX);
    if (cut < 0) return Class.forName(name, false, loader);
    Class.forName(name.substring(0, cut), false, loader);  // tells us of its lambdas
    final Key key = new Key(loader, name);
    synchronized (WAITING) {
      final byte[] file = WAITING.remove(key);
      if (file != null) return Definer.define(loader, name, file);
    }
    return Class.forName(name, false, loader);
  }

  private Lambdas() {}
}
