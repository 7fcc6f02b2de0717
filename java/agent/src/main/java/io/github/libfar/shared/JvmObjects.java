package io.github.libfar.shared;

import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.util.List;
import sun.misc.Unsafe;

/** Objects that each JVM has one of. They travel by class: each rank gets its own. */
final class JvmObjects {
  private static final ClassLoader SYSTEM = ClassLoader.getSystemClassLoader();
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  static boolean has(Class<?> c) {
    return of(c) != null;
  }

  /** Whether it is the one that the JVM has. */
  static boolean is(Object value) {
    return of(value.getClass()) == value;
  }

  /** This rank's object of a class; null: a JVM may have several. */
  static Object of(Class<?> c) {
    if (c == Runtime.class) return Runtime.getRuntime();
    if (c == SYSTEM.getClass()) return SYSTEM;
    if (c == PLATFORM.getClass()) return PLATFORM;
    if (c == Unsafe.class) return Reflected.UNSAFE;
    return PlatformManagedObject.class.isAssignableFrom(c) ? managed(c) : null;
  }

  private static Object managed(Class<?> c) {
    for (Class<? extends PlatformManagedObject> i
        : ManagementFactory.getPlatformManagementInterfaces()) {
      if (!i.isAssignableFrom(c)) continue;
      final List<? extends PlatformManagedObject> all = ManagementFactory.getPlatformMXBeans(i);
      if (all.size() == 1 && all.get(0).getClass() == c) return all.get(0);
    }
    return null;
  }

  private JvmObjects() {}
}
