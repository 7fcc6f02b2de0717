package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import io.github.libfar.agent.Lambdas;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Which kind an object in the space is of: its first word is the place of a record with the name of
 * its class. Each rank makes records of its own when it first shares an object of a class.
 *
 * <p>Threads: under Space's lock.
 */
final class Records {
  private static final long[] BY_WIDTH = new long[9];
  /** The type of the elements of arrays of references. */
  static final long REFERENCES =
      Native.type("java:references", 8, new int[] {0}, new int[] {0});
  private static final Map<Long, String> NAME_OF_RECORD = new HashMap<>();
  private static final Map<String, Kind> BY_NAME = new HashMap<>();
  private static final Map<Class<?>, Kind> BY_CLASS = new HashMap<>();
  private static final long[] COUNT = new long[1];

  static {
    for (int width = 1; width <= 8; width *= 2) {
      BY_WIDTH[width] =
          Native.type("java:numbers" + width, width, new int[] {0}, new int[] {width});
    }
  }

  /** The type of the elements of arrays of numbers. */
  static long ofWidth(int width) {
    return BY_WIDTH[width];
  }

  /** Makes a record. Returns its place. */
  static long make(String name) {
    final long place = bytes(0, name.getBytes(StandardCharsets.UTF_8));
    NAME_OF_RECORD.put(place, name);
    return place;
  }

  /** Puts bytes into the space, as they will stay. Returns their place. */
  static long bytes(long record, byte[] bytes) {
    final long type = ofWidth(1);
    final long place = Native.make(type, Kind.HEAD_BYTES + (long) bytes.length);
    final long head = Native.elements(place, type, 0, true, COUNT);
    U.putLong(head + Kind.HEAD_CLASS, record);
    U.putLong(head + Kind.HEAD_LENGTH, bytes.length);
    for (int i = 0; i < bytes.length;) {
      final long to = Native.elements(place, type, (long) Kind.HEAD_BYTES + i, true, COUNT);
      final int n = (int) Math.min(COUNT[0], bytes.length - i);
      U.copyMemory(bytes, Unsafes.BYTES + i, null, to, n);
      i += n;
    }
    return place;
  }

  /** Reads them. */
  static byte[] bytes(long place, int length) {
    final byte[] bytes = new byte[length];
    for (int i = 0; i < length;) {
      final long from =
          Native.elements(place, ofWidth(1), (long) Kind.HEAD_BYTES + i, false, COUNT);
      final int n = (int) Math.min(COUNT[0], length - i);
      U.copyMemory(null, from, bytes, Unsafes.BYTES + i, n);
      i += n;
    }
    return bytes;
  }

  /** The class's name in a record. */
  static String nameAt(long record) {
    String name = NAME_OF_RECORD.get(record);
    if (name == null) {
      final long[] head = new long[2];
      Native.head(record, head);
      name = new String(bytes(record, (int) head[1]), StandardCharsets.UTF_8);
      NAME_OF_RECORD.put(record, name);
    }
    return name;
  }

  static Class<?> classOf(String name) {
    try {
      return Lambdas.find(ClassLoader.getSystemClassLoader(), name);
    } catch (ClassNotFoundException e) {
      throw Job.fail("rank " + Job.RANK + " has no class " + name
          + ", of which another rank has shared an object");
    }
  }

  static Kind named(String name) {
    Kind kind = BY_NAME.get(name);
    if (kind == null) {
      final Class<?> c = classOf(name);
      kind = c.isArray() ? ofArray(c) : of(c);
      BY_NAME.put(name, kind);
    }
    return kind;
  }

  static Kind of(Shared o) {
    return o instanceof SharedArray w ? ofArray(w.raw().getClass()) : of(o.getClass());
  }

  private static Kind of(Class<?> c) {
    Kind kind = BY_CLASS.get(c);
    if (kind == null) {
      kind = new ObjectKind(c, Layout.of(c));
      BY_CLASS.put(c, kind);
    }
    return kind;
  }

  private static Kind ofArray(Class<?> raw) {
    Kind kind = BY_CLASS.get(raw);
    if (kind == null) {
      final ArrayKind array = ArrayKind.of(raw);
      kind = array == ArrayKind.REF ? new RefArrays(raw) : new NumberArrays(array);
      BY_CLASS.put(raw, kind);
    }
    return kind;
  }

  /** All that there are. */
  static Collection<Kind> all() {
    return BY_CLASS.values();
  }

  private Records() {}
}
