package io.github.libfar.shared;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import sun.misc.Unsafe;

/**
 * Ways to the fields of objects around the program's instructions. Before calls of
 * java.lang.reflect.Field there are the tests of an access. The others are refused by the exception
 * by which the JDK refuses them for some classes, so that libraries go another way if they have one:
 * see agent.Substitutions.
 */
public final class Reflected {
  /** The one that programs get. */
  static final Unsafe UNSAFE = unsafe();

  private static Unsafe unsafe() {
    try {
      final Field only = Unsafe.class.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      return (Unsafe) only.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Unsafe has no theUnsafe", e);
    }
  }

  public static void beforeRead(Field f, Object o) {
    final Shared s = shared(f, o);
    if (s != null && s.far$state() < 0) Space.read(s);
  }

  public static void beforeWrite(Field f, Object o) {
    final Shared s = shared(f, o);
    if (s != null && s.far$state() != Shared.WRITABLE) Space.write(s);
  }

  /** The object, if other ranks know it; else null. */
  private static Shared shared(Field f, Object o) {
    if (!(o instanceof Shared s) || s.far$mirror() == null) return null;
    if (Modifier.isVolatile(f.getModifiers())) {
      throw Job.fail("cannot access " + f.getDeclaringClass().getName() + "." + f.getName()
          + " by reflection: it is volatile, and ranks share the object");
    }
    return s;
  }

  // ---- refused

  private static void check(String way, Class<?> c, String field) {
    if (!Job.ACTIVE || !Shared.class.isAssignableFrom(c)) return;
    throw new UnsupportedOperationException("far java: no " + way + " for " + c.getName() + "."
        + field + ", because ranks share objects of that class");
  }

  private static void check(String way, Field f) {
    check(way, f.getDeclaringClass(), f.getName());
  }

  public static long objectFieldOffset(Unsafe u, Field f) {
    check("offset", f);
    return u.objectFieldOffset(f);
  }

  /** On one rank, too: the program's arrays are objects around arrays of the JVM. */
  public static int arrayBaseOffset(Unsafe u, Class<?> array) {
    throw new UnsupportedOperationException("far java: no offsets in arrays");
  }

  public static VarHandle findVarHandle(MethodHandles.Lookup lookup, Class<?> c, String name,
      Class<?> type) throws ReflectiveOperationException {
    check("VarHandle", c, name);
    return lookup.findVarHandle(c, name, type);
  }

  public static VarHandle unreflectVarHandle(MethodHandles.Lookup lookup, Field f)
      throws ReflectiveOperationException {
    check("VarHandle", f);
    return lookup.unreflectVarHandle(f);
  }

  public static MethodHandle findGetter(MethodHandles.Lookup lookup, Class<?> c, String name,
      Class<?> type) throws ReflectiveOperationException {
    check("MethodHandle", c, name);
    return lookup.findGetter(c, name, type);
  }

  public static MethodHandle findSetter(MethodHandles.Lookup lookup, Class<?> c, String name,
      Class<?> type) throws ReflectiveOperationException {
    check("MethodHandle", c, name);
    return lookup.findSetter(c, name, type);
  }

  public static MethodHandle unreflectGetter(MethodHandles.Lookup lookup, Field f)
      throws ReflectiveOperationException {
    check("MethodHandle", f);
    return lookup.unreflectGetter(f);
  }

  public static MethodHandle unreflectSetter(MethodHandles.Lookup lookup, Field f)
      throws ReflectiveOperationException {
    check("MethodHandle", f);
    return lookup.unreflectSetter(f);
  }

  private Reflected() {}
}
