package io.github.libfar.shared;

import jdk.internal.misc.Unsafe;

/** The JDK's access to fields and memory by address. */
final class Unsafes {
  static final Unsafe U = Unsafe.getUnsafe();
  static final long BYTES = arrayBase(byte[].class);

  /** Where an array's elements begin. Its type is another one since Java 25: int became long. */
  static long arrayBase(Class<?> array) {
    try {
      return ((Number) Unsafe.class.getMethod("arrayBaseOffset", Class.class).invoke(U, array))
          .longValue();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("jdk.internal.misc.Unsafe has no arrayBaseOffset", e);
    }
  }

  private Unsafes() {}
}
