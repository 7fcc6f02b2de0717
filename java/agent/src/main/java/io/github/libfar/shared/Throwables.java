package io.github.libfar.shared;

import static io.github.libfar.shared.Unsafes.U;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Exceptions of the JDK's classes, which travel by class, message, cause, what ranks can share of
 * other fields, and suppressed exceptions. Those of the program's are objects like others, with
 * message and cause besides their fields.
 *
 * <p>Threads: under Space's lock.
 */
final class Throwables {
  static final long MESSAGE = U.objectFieldOffset(Throwable.class, "detailMessage");
  /** The exception itself: it has none. */
  static final long CAUSE = U.objectFieldOffset(Throwable.class, "cause");

  private static final long SUPPRESSED =
      U.objectFieldOffset(Throwable.class, "suppressedExceptions");
  private static final Object NOTHING_SUPPRESSED = U.getReference(new Throwable(), SUPPRESSED);

  private static final int FAR_MESSAGE = Kind.HEAD_BYTES;
  private static final int FAR_CAUSE = FAR_MESSAGE + 8;
  /** An array of the values of other fields, by name, and behind them of what is suppressed. */
  private static final int FAR_REST = FAR_CAUSE + 8;
  private static final long TYPE = Native.type("java:throwable", FAR_REST + 8,
      new int[] {Kind.HEAD_CLASS, Kind.HEAD_LENGTH, FAR_MESSAGE, FAR_CAUSE, FAR_REST},
      new int[] {0, 8, 0, 0, 0});
  private static final Map<Class<?>, List<Field>> FIELDS = new HashMap<>();

  /** Makes room for one of the class that a record names. Returns its place. */
  static long make(long record) {
    final long place = Native.make(TYPE, -1);
    U.putLong(Native.at(place, TYPE, true) + Kind.HEAD_CLASS, record);
    return place;
  }

  static void write(long place, Throwable t) {
    put(place, FAR_MESSAGE, U.getReference(t, MESSAGE));
    put(place, FAR_CAUSE, U.getReference(t, CAUSE));
    final List<Object> rest = new ArrayList<>();
    for (Field f : fieldsOf(t.getClass())) rest.add(shareable(valueOf(t, f)));
    rest.addAll(List.of(t.getSuppressed()));
    if (!rest.isEmpty()) put(place, FAR_REST, ArrayKind.REF.wrap(rest.toArray()));
  }

  private static List<Field> fieldsOf(Class<?> type) {
    return FIELDS.computeIfAbsent(type, t -> {
      final List<Field> fields = new ArrayList<>();
      for (Class<?> c = t; c != Throwable.class; c = c.getSuperclass()) {
        for (Field f : c.getDeclaredFields()) {
          if (!Modifier.isStatic(f.getModifiers())) fields.add(f);
        }
      }
      fields.sort(Comparator.comparing(Field::getName)
          .thenComparing(f -> f.getDeclaringClass().getName()));
      return fields;
    });
  }

  private static Object shareable(Object o) {
    return o instanceof Shared || o != null && Values.placeOf(o) != 0 ? o : null;
  }

  private static Object valueOf(Object o, Field f) {
    final long at = U.objectFieldOffset(f);
    final Class<?> type = f.getType();
    if (type == int.class) return U.getInt(o, at);
    if (type == long.class) return U.getLong(o, at);
    if (type == boolean.class) return U.getBoolean(o, at);
    if (type == char.class) return U.getChar(o, at);
    return type.isPrimitive() ? null : U.getReference(o, at);
  }

  private static void setValue(Object o, Field f, Object value) {
    final long at = U.objectFieldOffset(f);
    if (!f.getType().isPrimitive()) {
      U.putReference(o, at, value);
    } else if (value instanceof Integer i) {
      U.putInt(o, at, i);
    } else if (value instanceof Long n) {
      U.putLong(o, at, n);
    } else if (value instanceof Boolean b) {
      U.putBoolean(o, at, b);
    } else if (value instanceof Character c) {
      U.putChar(o, at, c);
    }
  }

  private static void put(long place, int at, Object value) {
    final long to = Space.placeOf(value, null, "");
    U.putLong(Native.at(place, TYPE, true) + at, to);
  }

  /** One without message and cause. */
  static Throwable allocate(Class<?> type) {
    try {
      final Throwable made = (Throwable) U.allocateInstance(type);
      enableSuppression(made);
      return made;
    } catch (InstantiationException e) {
      throw Job.fail("cannot make an exception of " + type.getName() + ": " + e);
    }
  }

  /** As its constructor would have. */
  static void enableSuppression(Throwable made) {
    U.putReference(made, SUPPRESSED, NOTHING_SUPPRESSED);
  }

  static void read(long place, Throwable t) {
    U.putReference(t, MESSAGE, get(place, FAR_MESSAGE));
    U.putReference(t, CAUSE, get(place, FAR_CAUSE));
    final SharedArray rest = (SharedArray) get(place, FAR_REST);
    if (rest == null) return;
    Slow.readAny(rest);
    final Object[] values = (Object[]) rest.raw();
    int k = 0;
    for (Field f : fieldsOf(t.getClass())) setValue(t, f, values[k++]);
    while (k < values.length) t.addSuppressed((Throwable) values[k++]);
  }

  private static Object get(long place, int at) {
    return Space.objectOf(U.getLong(Native.at(place, TYPE, false) + at));
  }

  private Throwables() {}
}
