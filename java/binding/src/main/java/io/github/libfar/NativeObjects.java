package io.github.libfar;

/** As {@link Native}: what libfar_c has for objects. */
final class NativeObjects {
  static {
    Native.size(); // loads the library
  }

  private NativeObjects() {}

  static native long create(long heapBytes, long cacheBytes, boolean copies);

  static native void drop(long space);

  /** A width of 0 is a reference. */
  static native long type(long space, String name, int size, int[] offsets, int[] widths);

  /** A length of -1 is an object. */
  static native long make(long space, long type, long length);

  static native long length(long space, long array, long type);

  /** Fields of less than 8 bytes come with their sign. */
  static native long get(long space, long object, long type, int offset, int width);

  static native void set(long space, long object, long type, int offset, int width, long value);

  static native long getElement(
      long space, long array, long type, long i, int offset, int width);

  static native void setElement(
      long space, long array, long type, long i, int offset, int width, long value);

  static native void setRoot(long space, String name, long object, long type);

  static native long root(long space, String name);

  static native void keep(long space, long object);

  static native void release(long space, long object);

  static native void publish(long space);

  static native void refresh(long space);

  static native void collect(long space);

  static native void enter(long space, long object);

  static native void exit(long space, long object);

  static native boolean await(long space, long object, long nanos);

  static native void signal(long space, long object, boolean all);
}
