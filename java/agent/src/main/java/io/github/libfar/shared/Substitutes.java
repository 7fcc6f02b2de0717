package io.github.libfar.shared;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Methods that are called instead of the JDK's of the same name: see agent.Substitutions. */
public final class Substitutes {
  public static void exit(int status) {
    Job.exit(status);
  }

  public static void exit(Runtime runtime, int status) {
    Job.exit(status);
  }

  public static void halt(Runtime runtime, int status) {
    Job.exit(status);
  }

  /** The same on every rank. */
  public static int identityHashCode(Object o) {
    return o instanceof Shared s && s.far$mirror() != null ? s.far$mirror().hash()
        : System.identityHashCode(o);
  }

  public static int hashCode(Object o) {
    return o == null ? 0 : Wrap.hashCode(o);
  }

  public static int hash(SharedArray values) {
    int hash = 1;
    for (Object v : (Object[]) SharedArray.rawOf(values)) hash = 31 * hash + hashCode(v);
    return hash;
  }

  public static Class<?> getClass(Object o) {
    return Wrap.classOf(o);
  }

  public static boolean isInstance(Class<?> c, Object o) {
    return o instanceof SharedArray w ? Wrap.rawClass(c).isInstance(w.raw()) || c.isInstance(o)
        : c.isInstance(o);
  }

  public static Object cast(Class<?> c, Object o) {
    if (o != null && !isInstance(c, o)) {
      throw new ClassCastException("Cannot cast " + Wrap.classOf(o).getName() + " to "
          + c.getName());
    }
    return o;
  }

  public static void arraycopy(Object from, int at, Object to, int index, int n) {
    if (from instanceof SharedArray f) SharedObject.far$read(f);
    if (to instanceof SharedArray t) SharedObject.far$write(t);
    System.arraycopy(from instanceof SharedArray f ? f.raw() : from, at,
        to instanceof SharedArray t ? t.raw() : to, index, n);
  }

  public static String deepToString(SharedArray a) {
    return Arrays.deepToString(Wrap.plain(a));
  }

  public static boolean deepEquals(SharedArray a, SharedArray b) {
    return Arrays.deepEquals(Wrap.plain(a), Wrap.plain(b));
  }

  public static int deepHashCode(SharedArray a) {
    return Arrays.deepHashCode(Wrap.plain(a));
  }

  public static Object newInstance(Class<?> element, int length) {
    return Wrap.multi(new int[] {length}, element.arrayType());
  }

  public static Object newInstance(Class<?> element, SharedArray lengths) {
    final int[] n = (int[]) SharedArray.rawOf(lengths);
    Class<?> type = element;
    for (int k = 0; k < n.length; k++) type = type.arrayType();
    return Wrap.multi(n, type);
  }

  public static int getLength(Object array) {
    return Array.getLength(Wrap.rawObject(array));
  }

  private Substitutes() {}
}
