package io.github.libfar.shared;

import java.util.ArrayList;
import java.util.List;

/**
 * Constants of enumerations. Each rank has objects of its own, and references to them travel by
 * name. Their fields and monitors are shared: the first rank publishes its objects, and those of the
 * other ranks get the same places.
 */
public final class Constants {
  /** At the end of the initializer of an enumeration whose constants may have fields. */
  public static void opened(Class<?> enumeration) {
    if (Job.ACTIVE) share((Enum<?>[]) enumeration.getEnumConstants());
  }

  /** Of a constant without fields, when a thread is in its monitor. */
  static Mirror mirrorOf(Enum<?> constant) {
    if (((Shared) constant).far$mirror() == null) share(constant);
    return ((Shared) constant).far$mirror();
  }

  private static void share(Enum<?>... constants) {
    final long common = Job.common();
    final int thread = Contexts.take();
    Native.enter(thread, common);
    try {
      final List<Enum<?>> published = new ArrayList<>();
      synchronized (Space.lock()) {
        for (Enum<?> e : constants) {
          if (((Shared) e).far$mirror() == null && !join(e)) published.add(e);
        }
        published.forEach(e -> Space.publish((Shared) e));
      }
      if (published.isEmpty()) return;
      Space.release();  // nobody finds them without their values
      synchronized (Space.lock()) {
        for (Enum<?> e : published) {
          Native.setRoot(nameOf(e), ((Shared) e).far$mirror().place, typeOf(e));
        }
      }
    } finally {
      Native.exit(thread, common);
      Contexts.giveBack();
    }
  }

  /** Whether another rank has published it. */
  private static boolean join(Enum<?> e) {
    final long there = Native.root(nameOf(e), typeOf(e));
    if (there == 0) return false;
    final long[] head = new long[2];
    Native.head(there, head);
    Space.join((Shared) e, there, Records.of((Shared) e), head[1]);
    return true;
  }

  private static String nameOf(Enum<?> e) {
    return "enum:" + e.getDeclaringClass().getName() + "." + e.name();
  }

  private static long typeOf(Enum<?> e) {
    return ((ObjectKind) Records.of((Shared) e)).farType();
  }

  private Constants() {}
}
