package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.ref.Reference;
import java.lang.reflect.Field;

/**
 * Volatile fields of shared objects: the value is the word at the object's home. Reading acquires,
 * writing releases. None of it is compiled into the program: see Slow.
 */
public final class Volatiles {
  public static void acquire() {
    if (Job.ACTIVE) Space.acquire();
  }

  public static void release() {
    if (Job.ACTIVE) Space.release();
  }

  private static ObjectKind.Field field(Mirror m, String name) {
    return ((ObjectKind) m.kind).volatileField(name);
  }

  private static long loadHere(Object o, String name) {
    final Mirror m = ((Shared) o).far$mirror();
    final long value = Native.load(m.place, field(m, name).far());
    Reference.reachabilityFence(o);
    return value;
  }

  private static long load(Object o, String name) {
    final long value;
    synchronized (Space.lock()) {
      value = loadHere(o, name);
    }
    Space.acquire();
    return value;
  }

  private static void store(Object o, String name, long value) {
    final Mirror m = ((Shared) o).far$mirror();
    Space.release();
    synchronized (Space.lock()) {
      Native.store(m.place, field(m, name).far(), value);
    }
    Reference.reachabilityFence(o);
  }

  /** What the field refers to is found before anything else happens: nothing else may keep it. */
  public static Object get(Object o, String name) {
    final Object value;
    synchronized (Space.lock()) {
      value = Space.objectOf(loadHere(o, name));
    }
    Space.acquire();
    return value;
  }

  public static boolean getBoolean(Object o, String name) {
    return load(o, name) != 0;
  }

  public static byte getByte(Object o, String name) {
    return (byte) load(o, name);
  }

  public static char getChar(Object o, String name) {
    return (char) load(o, name);
  }

  public static short getShort(Object o, String name) {
    return (short) load(o, name);
  }

  public static int getInt(Object o, String name) {
    return (int) load(o, name);
  }

  public static long getLong(Object o, String name) {
    return load(o, name);
  }

  public static float getFloat(Object o, String name) {
    return Float.intBitsToFloat((int) load(o, name));
  }

  public static double getDouble(Object o, String name) {
    return Double.longBitsToDouble(load(o, name));
  }

  public static void set(Object o, String name, Object value) {
    final Mirror m = ((Shared) o).far$mirror();
    synchronized (Space.lock()) {
      Space.placeOf(value, m.kind, name);
    }
    Space.release();  // and what has just been published
    synchronized (Space.lock()) {
      final long place = Space.placeOf(value, m.kind, name);
      if (!(value instanceof Shared)) Native.publish();  // a value may have been forgotten, and made anew
      Native.store(m.place, field(m, name).far(), place);
    }
    Reference.reachabilityFence(o);
    Reference.reachabilityFence(value);
  }

  public static void set(Object o, String name, boolean value) {
    store(o, name, value ? 1 : 0);
  }

  public static void set(Object o, String name, byte value) {
    store(o, name, value);
  }

  public static void set(Object o, String name, char value) {
    store(o, name, value);
  }

  public static void set(Object o, String name, short value) {
    store(o, name, value);
  }

  public static void set(Object o, String name, int value) {
    store(o, name, value);
  }

  public static void set(Object o, String name, long value) {
    store(o, name, value);
  }

  public static void set(Object o, String name, float value) {
    store(o, name, Float.floatToRawIntBits(value));
  }

  public static void set(Object o, String name, double value) {
    store(o, name, Double.doubleToRawLongBits(value));
  }

  // ---- for the atomic classes; the field is one of the object's class itself

  public static boolean compareAndSet(Object o, String name, long expected, long to) {
    return update(o, name, expected, to, true) == expected;
  }

  public static boolean compareAndSet(Object o, String name, int expected, int to) {
    return SharedObject.far$isShared(o) ? compareAndSet(o, name, (long) expected, (long) to)
        : U.compareAndSetInt(o, OFFSETS.get(o.getClass()), expected, to);
  }

  public static long getAndAdd(Object o, String name, long n) {
    return update(o, name, 0, n, false);
  }

  public static int getAndAdd(Object o, String name, int n) {
    if (!SharedObject.far$isShared(o)) return U.getAndAddInt(o, OFFSETS.get(o.getClass()), n);
    for (;;) {
      final int old = getInt(o, name);
      if (compareAndSet(o, name, old, old + n)) return old;
    }
  }

  private static long update(Object o, String name, long expected, long n, boolean compares) {
    if (!SharedObject.far$isShared(o)) {
      final long at = OFFSETS.get(o.getClass());
      if (!compares) return U.getAndAddLong(o, at, n);
      return U.compareAndExchangeLong(o, at, expected, n);
    }
    final Mirror m = ((Shared) o).far$mirror();
    Space.release();
    final long old;
    synchronized (Space.lock()) {
      final long at = field(m, name).far();
      old = compares ? Native.compareExchange(m.place, at, expected, n)
          : Native.fetchAdd(m.place, at, n);
    }
    Reference.reachabilityFence(o);
    Space.acquire();
    return old;
  }

  /** Whether it is one object: what travels by value is another one on each rank. */
  public static boolean isSame(Object a, Object b) {
    if (a == b) return true;
    if (a == null || b == null || a.getClass() != b.getClass()) return false;
    return (a instanceof String || a instanceof Number || a instanceof Boolean
        || a instanceof Character) && a.equals(b);
  }

  /** Of a shared object. */
  static boolean compareAndSetReference(Object o, String name, Object expected, Object to) {
    final Mirror m = ((Shared) o).far$mirror();
    synchronized (Space.lock()) {
      Space.placeOf(to, m.kind, name);
    }
    Space.release();  // and what has just been published
    boolean done = false;
    synchronized (Space.lock()) {
      final long old = loadHere(o, name);
      if (isSame(Space.objectOf(old), expected)) {
        final long place = Space.placeOf(to, m.kind, name);
        if (!(to instanceof Shared)) Native.publish();
        done = Native.compareExchange(m.place, field(m, name).far(), old, place) == old;
      }
    }
    Reference.reachabilityFence(o);
    Reference.reachabilityFence(to);
    Space.acquire();
    return done;
  }

  /** Where the field "value" is in objects of a class. */
  private static final ClassValue<Long> OFFSETS = new ClassValue<>() {
    @Override
    protected Long computeValue(Class<?> c) {
      for (Class<?> k = c; k != null; k = k.getSuperclass()) {
        for (Field f : k.getDeclaredFields()) {
          if (f.getName().equals("value")) return U.objectFieldOffset(f);
        }
      }
      throw new LinkageError(c.getName() + " has no field 'value'");
    }
  };

  private Volatiles() {}
}
