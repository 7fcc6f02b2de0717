package io.github.libfar.shared;

/**
 * The superclass of rewritten classes, in place of Object: it has the hidden state. A new object is
 * local: its state is 0, so both tests pass, until a release publishes it.
 */
public class SharedObject implements Shared {
  public transient byte far$state;
  public transient Mirror far$mirror;

  /** The test before the object is read. */
  public static void far$read(SharedObject o) {
    if (o.far$state < 0) Slow.read(o);
  }

  /** The test before the object is written. */
  public static void far$write(SharedObject o) {
    if (o.far$state != 0) Slow.write(o);
  }

  /** The same, of what may be no such object. */
  public static void far$readAny(Object o) {
    if (o instanceof SharedObject s) far$read(s);
  }

  public static void far$writeAny(Object o) {
    if (o instanceof SharedObject s) far$write(s);
  }

  public static boolean far$isShared(Object o) {
    return Job.ACTIVE && ((Shared) o).far$mirror() != null;
  }

  /** An element of an array of references; null where the program's own look would fail. */
  public static Object far$element(Object array, int i) {
    if (!(array instanceof SharedArray s)) return null;
    far$read(s);
    return s.raw() instanceof Object[] a && i >= 0 && i < a.length ? a[i] : null;
  }

  @Override
  public final byte far$state() {
    return far$state;
  }

  @Override
  public final void far$state(byte state) {
    far$state = state;
  }

  @Override
  public final Mirror far$mirror() {
    return far$mirror;
  }

  @Override
  public final void far$mirror(Mirror mirror) {
    far$mirror = mirror;
  }

  /** The same on every rank. */
  @Override
  public int hashCode() {
    return far$mirror == null ? super.hashCode() : far$mirror.hash();
  }

  @Override
  public String toString() {
    return getClass() == SharedObject.class
        ? "java.lang.Object@" + Integer.toHexString(hashCode()) : super.toString();
  }

  @Override
  protected Object clone() throws CloneNotSupportedException {
    far$read(this);
    final SharedObject made = (SharedObject) super.clone();
    made.far$state = WRITABLE;
    made.far$mirror = null;
    return made;
  }
}
