package io.github.libfar.shared;

import jdk.internal.misc.Unsafe;

/** The JDK's access to fields and memory by address. */
final class Unsafes {
  static final Unsafe U = Unsafe.getUnsafe();

  private Unsafes() {}
}
