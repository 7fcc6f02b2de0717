package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

/**
 * Exceptions of the JDK's classes, which travel by class, message and cause. Those of the program's
 * are objects like others, with these two besides their fields.
 *
 * <p>Threads: under Space's lock.
 */
final class Throwables {
  static final long MESSAGE = U.objectFieldOffset(Throwable.class, "detailMessage");
  /** The exception itself: it has none. */
  static final long CAUSE = U.objectFieldOffset(Throwable.class, "cause");

  private static final int FAR_MESSAGE = Kind.HEAD_BYTES;
  private static final int FAR_CAUSE = FAR_MESSAGE + 8;
  private static final long TYPE = Native.type("java:throwable", FAR_CAUSE + 8,
      new int[] {Kind.HEAD_CLASS, Kind.HEAD_LENGTH, FAR_MESSAGE, FAR_CAUSE},
      new int[] {0, 8, 0, 0});

  /** Makes room for one of the class that a record names. Returns its place. */
  static long make(long record) {
    final long place = Native.make(TYPE, -1);
    U.putLong(Native.at(place, TYPE, true) + Kind.HEAD_CLASS, record);
    return place;
  }

  static void write(long place, Throwable t) {
    put(place, FAR_MESSAGE, U.getReference(t, MESSAGE));
    put(place, FAR_CAUSE, U.getReference(t, CAUSE));
  }

  private static void put(long place, int at, Object value) {
    final long to = Space.placeOf(value, null, "");
    U.putLong(Native.at(place, TYPE, true) + at, to);
  }

  /** One without message and cause. */
  static Throwable allocate(Class<?> type) {
    try {
      return (Throwable) U.allocateInstance(type);
    } catch (InstantiationException e) {
      throw Job.fail("cannot make an exception of " + type.getName() + ": " + e);
    }
  }

  static void read(long place, Throwable t) {
    U.putReference(t, MESSAGE, get(place, FAR_MESSAGE));
    U.putReference(t, CAUSE, get(place, FAR_CAUSE));
  }

  private static Object get(long place, int at) {
    return Space.objectOf(U.getLong(Native.at(place, TYPE, false) + at));
  }

  private Throwables() {}
}
