package io.github.libfar.shared;

import java.lang.reflect.Array;

/** What programs do with arrays besides loading and storing elements. */
public final class Wrap {
  /** The class of an object as the program knows it. */
  public static Class<?> classOf(Object o) {
    if (o instanceof SharedArray w) return original(w.raw().getClass());
    final Class<?> c = o.getClass();
    if (c == SharedObject.class) return Object.class;
    return c == SharedThread.class ? Thread.class : c;
  }

  /** The same on every rank: enumerations' constants and classes the JVM hashes by address. */
  public static int hashCode(Object o) {
    if (!Job.ACTIVE) return o.hashCode();
    if (o instanceof Enum<?> e) return e.name().hashCode();
    return o instanceof Class<?> c ? c.getName().hashCode() : o.hashCode();
  }

  public static int hashCode(Enum<?> e) {
    return hashCode((Object) e);
  }

  /** Of {@code IntArray[]}, {@code int[][]}: of an array of unknown arrays, {@code Object[][]}. */
  private static Class<?> original(Class<?> array) {
    final Class<?> element = array.getComponentType();
    if (!SharedArray.class.isAssignableFrom(element) || element == SharedArray.class) return array;
    return ArrayKind.of(element).element.arrayType().arrayType();
  }

  /** The class of the array inside, for one that the program knows. */
  static Class<?> rawClass(Class<?> array) {
    final Class<?> element = array.getComponentType();
    if (element == null || !element.isArray()) return array;
    return ArrayKind.of(element).wrapper.arrayType();
  }

  /** The object around an array, which may be that of another one. Null stays null. */
  public static SharedArray wrapAs(Object array, SharedArray other) {
    return other != null && other.raw() == array ? other : SharedArray.wrapAny(array);
  }

  /** The array inside, or the object itself. */
  public static Object rawObject(Object o) {
    return o instanceof SharedArray w ? SharedArray.rawOf(w) : o;
  }

  /** {@code instanceof} an array: {@code raw} is the class of the array inside. */
  public static boolean isInstance(Object o, Class<?> raw) {
    return raw.isInstance(o instanceof SharedArray w ? w.raw() : o);
  }

  public static Object clone(Object array) {
    final SharedArray w = SharedArray.wrapAny(array);
    SharedObject.far$read(w);
    final Object raw = w.raw();
    final int n = Array.getLength(raw);
    final Object copy = Array.newInstance(raw.getClass().getComponentType(), n);
    System.arraycopy(raw, 0, copy, 0, n);
    return w.around(copy);
  }

  /** A clone of an object whose class extends one of the JDK's is a new object. */
  public static void forget(Object clone) {
    if (!(clone instanceof Shared s)) return;
    s.far$state(Shared.WRITABLE);
    s.far$mirror(null);
  }

  /** {@code new T[n0][n1]...}: {@code type} is that of the whole array, as it was compiled. */
  public static Object multi(int[] lengths, Class<?> type) {
    return multi(lengths, 0, type);
  }

  private static SharedArray multi(int[] lengths, int at, Class<?> type) {
    for (int k = at; k < lengths.length; k++) {
      if (lengths[k] < 0) throw new NegativeArraySizeException(Integer.toString(lengths[k]));
    }
    final Object raw = Array.newInstance(rawClass(type).getComponentType(), lengths[at]);
    if (at + 1 < lengths.length) {
      final Object[] rows = (Object[]) raw;
      final Class<?> row = type.getComponentType();
      for (int k = 0; k < rows.length; k++) rows[k] = multi(lengths, at + 1, row);
    }
    return SharedArray.wrapAny(raw);
  }

  /** An array of arrays from the JDK: the rows are wrapped, too. Null stays null. */
  public static SharedArray wrapDeep(Object[] rows) {
    if (rows == null) return null;
    final Class<?> element = rows.getClass().getComponentType();
    if (!element.isArray()) return SharedArray.wrapAny(rows);
    final Object[] raw = (Object[]) Array.newInstance(ArrayKind.of(element).wrapper, rows.length);
    for (int k = 0; k < raw.length; k++) {
      raw[k] = rows[k] instanceof Object[] deep ? wrapDeep(deep) : SharedArray.wrapAny(rows[k]);
    }
    return SharedArray.wrapAny(raw);
  }

  /** An array of arrays for the JDK: a new one, of the class {@code type}. Null stays null. */
  public static Object[] unwrapDeep(SharedArray w, Class<?> type) {
    if (w == null) return null;
    final Object[] from = (Object[]) SharedArray.rawOf(w);
    final Class<?> element = type.getComponentType();
    final Object[] rows = (Object[]) Array.newInstance(element, from.length);
    for (int k = 0; k < rows.length; k++) {
      final boolean deep = element.isArray() && !element.getComponentType().isPrimitive();
      rows[k] = deep && from[k] instanceof SharedArray row ? unwrapDeep(row, element)
          : rawObject(from[k]);
    }
    return rows;
  }

  /** The elements as the JDK prints and compares them, arrays within arrays included. */
  static Object[] plain(SharedArray w) {
    if (w == null) return null;
    final Object[] from = (Object[]) SharedArray.rawOf(w);
    final Object[] to = new Object[from.length];
    for (int k = 0; k < to.length; k++) {
      to[k] = from[k] instanceof SharedArray row && row.raw() instanceof Object[]
          ? plain(row) : rawObject(from[k]);
    }
    return to;
  }

  private Wrap() {}
}
